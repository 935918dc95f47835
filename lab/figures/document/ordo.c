/* S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018.
 *
 * Figures 2 and 4 to 7 are listings and sketches of the algorithms. The figures of the evaluation, 8 and later, are
 * named by their subject. */
#include "lab/figures/ordo/ordo.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "RLU with a logical and with a hardware clock, 98% reads, by cores", ORDO_FIGURE_MACHINE, ordo_paper_reads,
     NULL},
    {"fig3", "the measurement of the offset of two clocks, and the boundary", ORDO_FIGURE_MACHINE, ordo_paper_calibrate,
     NULL},
    {"table1", "four machines and the offsets of their clocks", ORDO_FIGURE_ARITHMETIC, ordo_paper_machines, NULL},
    {"stamps", "the cost of a timestamp of the clock and of a shared counter", ORDO_FIGURE_MACHINE, ordo_paper_stamps,
     NULL},
    {"rlu", "RLU by its share of updates", ORDO_FIGURE_MACHINE, ordo_paper_updates, NULL},
    {"boundary", "RLU with one to eight times the boundary", ORDO_FIGURE_MACHINE, ordo_paper_boundary, NULL},
    {"oplog", "Oplog, a reverse map that is updated by many cores", ORDO_FIGURE_MACHINE, ordo_paper_oplog, NULL},
    {"ycsb", "OCC and Hekaton, YCSB with reads only", ORDO_FIGURE_MACHINE, ordo_paper_ycsb, NULL},
    {"tpcc", "OCC and Hekaton, TPC-C", ORDO_FIGURE_MACHINE, ordo_paper_tpcc, NULL},
    {"tl2", "TL2, transactional memory", ORDO_FIGURE_MACHINE, ordo_paper_tl2,
     "two CPUs do not make a bottleneck of a shared counter: fig1 computes a gain below 1.5 times at 4 threads, and "
     "above it only with more cores"},
    {0},
};

const struct ordo_document ordo_document_ordo = {
    .name = "ordo",
    .title = "S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018",
    .figures = figures,
};

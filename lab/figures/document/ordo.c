/* S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018.
 *
 * The abstract, Figure 1 and its caption were read at docslib.org/doc/13175265; the rest was not available. */
#include "lab/figures/ordo/ordo.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"fig1", "RLU with a logical and with a hardware clock, 98% reads, by cores", ORDO_FIGURE_MACHINE, ordo_paper_reads,
     NULL},
    {"fig3", "the measurement of the offset of two clocks, and the boundary", ORDO_FIGURE_MACHINE, ordo_paper_calibrate,
     NULL},
    {"interface", "the interface: get_time, cmp_time and new_time", ORDO_FIGURE_MACHINE, ordo_paper_interface, NULL},
    {"code", "the code of RLU with a logical clock and with Ordo", ORDO_FIGURE_MACHINE, ordo_paper_code, NULL},
    {"table1", "four machines, and the offsets of their clocks", ORDO_FIGURE_ARITHMETIC, NULL,
     "the table was not available, and its machines are not here: line machines has what the abstract says of them"},
    {"machines", "clocks that differ on Intel and ARM, by assumed offsets", ORDO_FIGURE_ARITHMETIC, ordo_paper_machines,
     NULL},
    {"stamps", "the cost of a timestamp of the clock and of a shared counter", ORDO_FIGURE_MACHINE, ordo_paper_stamps,
     NULL},
    {"rlu", "RLU by its share of updates", ORDO_FIGURE_MACHINE, ordo_paper_updates, NULL},
    {"boundary", "RLU with one to eight times the boundary", ORDO_FIGURE_MACHINE, ordo_paper_boundary, NULL},
    {"oplog", "Oplog, a reverse map that is updated by many cores", ORDO_FIGURE_MACHINE, ordo_paper_oplog, NULL},
    {"ycsb", "OCC and Hekaton, YCSB with reads only", ORDO_FIGURE_MACHINE, ordo_paper_ycsb, NULL},
    {"tpcc", "OCC and Hekaton, TPC-C", ORDO_FIGURE_MACHINE, ordo_paper_tpcc, NULL},
    {"tl2", "TL2, transactional memory", ORDO_FIGURE_MACHINE, ordo_paper_tl2, NULL},
    {0},
};

const struct ordo_document ordo_document_ordo = {
    .name = "ordo",
    .title = "S. Kashyap, C. Min, K. Kim, T. Kim, A Scalable Ordering Primitive for Multicore Machines, EuroSys 2018",
    .figures = figures,
    .note = "The text of this paper was not available, except its abstract and Figure 1. The subjects of Figures 8 to "
            "14 are "
            "recalled, and named by their subject because the numbers are not known; their claims are ours. The only "
            "published numbers are the gains over a logical clock, 1.2 to 39.7 times.",
};

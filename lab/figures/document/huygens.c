/* Y. Geng et al., Exploiting a Natural Network Effect for Scalable, Fine-grained Clock Synchronization, NSDI 2018.
 *
 * The list has the statements of the abstract, and of the review that is the source here: it has no numbered figures. */
#include "lab/figures/huygens/huygens.h"
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"paths", "probes that meet no queue between hosts with several paths", ORDO_FIGURE_NETWORK, figure_huygens_paths,
     NULL},
    {"probes", "coded probes: the share of pure pairs, and how long they waited", ORDO_FIGURE_NETWORK,
     figure_huygens_probes, NULL},
    {"svm", "the support vector machine between the probes of the two directions", ORDO_FIGURE_NETWORK,
     figure_huygens_svm, NULL},
    {"effect", "the surplus of a loop, distributed over its edges", ORDO_FIGURE_ARITHMETIC, figure_huygens_effect,
     NULL},
    {"load40", "errors of HUYGENS and HUYGENS-R in a Clos network of 128 hosts, 40% load", ORDO_FIGURE_NETWORK,
     figure_huygens_load40, NULL},
    {"load90", "errors of HUYGENS and HUYGENS-R in a Clos network of 128 hosts, 90% load", ORDO_FIGURE_NETWORK,
     figure_huygens_load90, NULL},
    {0},
};

const struct ordo_document ordo_document_huygens = {
    .name = "huygens",
    .title = "Y. Geng et al., Exploiting a Natural Network Effect for Scalable, Fine-grained Clock Synchronization, "
             "NSDI 2018",
    .figures = figures,
};

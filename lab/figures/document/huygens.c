/* Y. Geng et al., Exploiting a Natural Network Effect for Scalable, Fine-grained Clock Synchronization, NSDI 2018. */
#include "lab/figures/document/document.h"

static const struct ordo_figure figures[] = {
    {"probes", "coded probes: the share of pure pairs", ORDO_FIGURE_NETWORK, NULL, "it is not repeated yet"},
    {"svm", "the support vector machine between the probes of the two directions", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {"effect", "the surplus of a loop, distributed over its edges", ORDO_FIGURE_ARITHMETIC, NULL,
     "it is not repeated yet"},
    {"netfpga", "errors of HUYGENS and HUYGENS-R in a Clos network of 128 hosts", ORDO_FIGURE_NETWORK, NULL,
     "it is not repeated yet"},
    {0},
};

const struct ordo_document ordo_document_huygens = {
    .name = "huygens",
    .title = "Y. Geng et al., Exploiting a Natural Network Effect for Scalable, Fine-grained Clock Synchronization, "
             "NSDI 2018",
    .figures = figures,
};

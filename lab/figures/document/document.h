/* The documents, a file each. */
#ifndef ORDO_LAB_FIGURES_DOCUMENT_DOCUMENT_H
#define ORDO_LAB_FIGURES_DOCUMENT_DOCUMENT_H

#include "lab/figures/figure.h"

extern const struct ordo_document ordo_document_hca3, ordo_document_itc, ordo_document_dtp, ordo_document_huygens,
    ordo_document_ordo, ordo_document_osmosis, ordo_document_libri;

#endif

/* The documents in the order in which they are printed. */
#include <stddef.h>

#include "lab/figures/document/document.h"

const struct ordo_document *const ordo_documents[] = {
    &ordo_document_hca3, &ordo_document_itc,     &ordo_document_dtp,   &ordo_document_huygens,
    &ordo_document_ordo, &ordo_document_osmosis, &ordo_document_libri, NULL,
};

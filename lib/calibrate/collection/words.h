/* All words that a report can contain. */
#ifndef ORDO_CALIBRATE_COLLECTION_WORDS_H
#define ORDO_CALIBRATE_COLLECTION_WORDS_H

/* Each list ends with NULL. */
extern const char *const ordo_collection_architectures[];
extern const char *const ordo_collection_vendors[];
extern const char *const ordo_collection_hypervisors[];
extern const char *const ordo_collection_clocks[]; /* the kernel's clocks */
extern const char *const ordo_collection_counters[];
extern const char *const ordo_collection_trusts[];
extern const char *const ordo_collection_details[]; /* indexed by enum ordo_collection_detail */
extern const char *const ordo_collection_columns[]; /* indexed by enum ordo_collection_column */
extern const char *const ordo_collection_counts[];  /* keys of the numbers of groups, indexed by enum ordo_distance */

/** Returns the word of the list that equals `text`; "other" if there is no such word. */
const char *ordo_collection_word(const char *const *words, const char *text);

#endif

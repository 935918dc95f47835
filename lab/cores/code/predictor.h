/* The branch predictor of one simulated CPU: predicts its next place from its place, and from its last branches. */
#ifndef ORDO_LAB_CORES_CODE_PREDICTOR_H
#define ORDO_LAB_CORES_CODE_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct cores_predictor;
int cores_predictor_open(struct cores_predictor **predictor, struct ordo_error *error);
void cores_predictor_close(struct cores_predictor *predictor);

/** Tell the predictor, from __tsan_func_entry and __tsan_func_exit, about calls and returns of the program: the return
 * stack of a processor predicts the block behind a call, which has many callers' blocks as successors otherwise. */
void cores_predictor_call(struct cores_predictor *predictor);
void cores_predictor_return(struct cores_predictor *predictor);

/** The CPU goes to the block whose first place is `place`, and which calls `calls` functions: it has `calls` + 1 places,
 * with consecutive numbers. Place 0 is no place. True if a processor would have predicted another place. */
bool cores_predictor_enter(struct cores_predictor *predictor, uint32_t place, uint32_t calls);

#endif

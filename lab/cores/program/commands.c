/* The commands of ordo-bench that run on a simulated machine. */
#include <stddef.h>

#include "common/command.h"

extern const struct command command_clock, command_contention, command_merge, command_oplog, command_rlu, command_stm,
    command_txn;
extern const struct command *const commands[];

const struct command *const commands[] = {&command_clock, &command_contention, &command_merge, &command_oplog,
                                          &command_rlu,   &command_stm,        &command_txn,   NULL};

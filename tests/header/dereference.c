/* What a reader executes, one function each; dereference.sh looks at the instructions. */
#include <ordo/cc/rlu.h>

void *read_object(struct ordo_rlu_thread *t, void *object);
void start_section(struct ordo_rlu_thread *t);
void end_section(struct ordo_rlu_thread *t);

void *read_object(struct ordo_rlu_thread *t, void *object)
{
    return ordo_rlu_dereference(t, object);
}

void start_section(struct ordo_rlu_thread *t)
{
    ordo_rlu_reader_lock(t);
}

void end_section(struct ordo_rlu_thread *t)
{
    ordo_rlu_reader_unlock(t);
}

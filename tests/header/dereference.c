/* What a reader executes, one function each; dereference.sh looks at the instructions. */
#include <ordo/cc/mvrlu.h>

void *read_object(struct ordo_rlu_thread *t, void *object);
void start_section(struct ordo_rlu_thread *t);
void end_section(struct ordo_rlu_thread *t);
void *read_versions(struct ordo_mvrlu_thread *t, void *object);
void start_multi(struct ordo_mvrlu_thread *t);
void end_multi(struct ordo_mvrlu_thread *t);
void ask_for(void *object);

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

void *read_versions(struct ordo_mvrlu_thread *t, void *object)
{
    return ordo_mvrlu_dereference(t, object);
}

void start_multi(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_reader_lock(t);
}

void end_multi(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_reader_unlock(t);
}

void ask_for(void *object)
{
    ordo_mvrlu_will_lock(object);
}

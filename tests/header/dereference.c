/* The operations of a reader and of a writer, each in a function of its own. dereference.sh inspects their
 * instructions. */
#include <ordo/cc/mvrlu/list.h>
#include <ordo/cc/rlu/list.h>

void *read_object(struct ordo_rlu_thread *t, void *object);
void start_section(struct ordo_rlu_thread *t);
void end_section(struct ordo_rlu_thread *t);
void *read_versions(struct ordo_mvrlu_thread *t, void *object);
void start_multi(struct ordo_mvrlu_thread *t);
void end_multi(struct ordo_mvrlu_thread *t);
void *follow_link(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link);
void *follow_multi(struct ordo_mvrlu_thread *t, const struct ordo_rlu_link *link);
int remove_key(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key);
int remove_version(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_list *list, uint64_t key);

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

void *follow_link(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link)
{
    return ordo_rlu_follow(t, link);
}

void *follow_multi(struct ordo_mvrlu_thread *t, const struct ordo_rlu_link *link)
{
    return ordo_mvrlu_follow(t, link);
}

int remove_key(struct ordo_rlu_thread *t, struct ordo_rlu_list *list, uint64_t key)
{
    return ordo_rlu_list_remove_in(t, list, key);
}

int remove_version(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_list *list, uint64_t key)
{
    return ordo_mvrlu_list_remove_in(t, list, key);
}

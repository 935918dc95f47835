/* Links and nodes for the tests of RLU and of MV-RLU. The including file defines TESTS_RLU(name), the name of a
 * function of the tested engine, and the thread `a`. */
#ifndef TESTS_UNIT_LINKS_H
#define TESTS_UNIT_LINKS_H

struct node {
    struct ordo_rlu_link link;
    uint64_t key;
};

static struct node *make_node(uint64_t key)
{
    struct node *node = TESTS_RLU(alloc_node)(a, sizeof *node);
    cr_assert_null(ordo_rlu_link_at_rest(&node->link));
    node->key = key;
    return node;
}

/* Returns the target of the link, as a section of the thread sees it. */
static void *see_link(struct TESTS_RLU(thread) * t, const struct ordo_rlu_link *link)
{
    void *to;
    TESTS_RLU(reader_lock)(t);
    to = TESTS_RLU(follow)(t, link);
    TESTS_RLU(reader_unlock)(t);
    return to;
}

static void point(struct TESTS_RLU(thread) * t, struct ordo_rlu_link *link, void *to)
{
    void **where, *before;
    TESTS_RLU(reader_lock)(t);
    before = TESTS_RLU(follow)(t, link);
    where = TESTS_RLU(try_lock_link)(t, link);
    cr_assert(where && *where == before);
    *where = to;
    cr_assert_eq(TESTS_RLU(follow)(t, link), to);
    cr_assert_eq(TESTS_RLU(try_lock_link)(t, link), where, "a link that is locked once has one copy");
    TESTS_RLU(reader_unlock)(t);
}

#endif

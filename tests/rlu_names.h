/* Lets tests of RLU be compiled for MV-RLU: with TESTS_MVRLU the names of RLU's functions become those of MV-RLU. */
#ifndef TESTS_RLU_NAMES_H
#define TESTS_RLU_NAMES_H

#ifdef TESTS_MVRLU
#include <ordo/cc/mvrlu/hash.h>
#include <ordo/cc/mvrlu/tree.h>

#undef ORDO_RLU_SECTION
#define ORDO_RLU_SECTION ORDO_MVRLU_SECTION
#define ordo_rlu ordo_mvrlu
#define ordo_rlu_abort ordo_mvrlu_abort
#define ordo_rlu_alloc ordo_mvrlu_alloc
#define ordo_rlu_assign ordo_mvrlu_assign
#define ordo_rlu_create ordo_mvrlu_create
#define ordo_rlu_dereference ordo_mvrlu_dereference
#define ordo_rlu_destroy ordo_mvrlu_destroy
#define ordo_rlu_discard ordo_mvrlu_discard
#define ordo_rlu_follow ordo_mvrlu_follow
#define ordo_rlu_free ordo_mvrlu_free
#define ordo_rlu_hash ordo_mvrlu_hash
#define ordo_rlu_hash_add_in ordo_mvrlu_hash_add_in
#define ordo_rlu_hash_audit ordo_mvrlu_hash_audit
#define ordo_rlu_hash_contains_in ordo_mvrlu_hash_contains_in
#define ordo_rlu_hash_destroy ordo_mvrlu_hash_destroy
#define ordo_rlu_hash_init ordo_mvrlu_hash_init
#define ordo_rlu_hash_list ordo_mvrlu_hash_list
#define ordo_rlu_hash_remove_in ordo_mvrlu_hash_remove_in
#define ordo_rlu_list ordo_mvrlu_list
#define ordo_rlu_list_add_in ordo_mvrlu_list_add_in
#define ordo_rlu_list_audit ordo_mvrlu_list_audit
#define ordo_rlu_list_clear ordo_mvrlu_list_clear
#define ordo_rlu_list_contains_in ordo_mvrlu_list_contains_in
#define ordo_rlu_list_init ordo_mvrlu_list_init
#define ordo_rlu_list_remove_in ordo_mvrlu_list_remove_in
#define ordo_rlu_options ordo_mvrlu_options
#define ordo_rlu_reader_lock ordo_mvrlu_reader_lock
#define ordo_rlu_reader_unlock ordo_mvrlu_reader_unlock
#define ordo_rlu_statistics ordo_mvrlu_statistics
#define ordo_rlu_statistics_read ordo_mvrlu_statistics_read
#define ordo_rlu_thread ordo_mvrlu_thread
#define ordo_rlu_thread_finish ordo_mvrlu_thread_finish
#define ordo_rlu_thread_init ordo_mvrlu_thread_init
#define ordo_rlu_tree ordo_mvrlu_tree
#define ordo_rlu_tree_add_in ordo_mvrlu_tree_add_in
#define ordo_rlu_tree_audit ordo_mvrlu_tree_audit
#define ordo_rlu_tree_clear ordo_mvrlu_tree_clear
#define ordo_rlu_tree_contains_in ordo_mvrlu_tree_contains_in
#define ordo_rlu_tree_init ordo_mvrlu_tree_init
#define ordo_rlu_tree_remove_in ordo_mvrlu_tree_remove_in
#define ordo_rlu_try_lock ordo_mvrlu_try_lock
#define ordo_rlu_try_lock_link ordo_mvrlu_try_lock_link

#define TESTS_DOMAIN(t) ((t)->domain)

static inline void tests_rest(struct ordo_mvrlu *domain)
{
    ordo_mvrlu_rest(domain);
}
#else
#include <ordo/cc/rlu/hash.h>
#include <ordo/cc/rlu/tree.h>

#define TESTS_DOMAIN(t) ((t)->rlu)

static inline void tests_rest(struct ordo_rlu *domain)
{
    (void)domain; /* RLU keeps no versions to write back */
}
#endif
#endif

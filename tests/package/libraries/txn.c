/* Calls libordo-txn: the table of engines, and the checker of histories; valid C and C++. */
#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>

int main(void)
{
    int engines = 0;
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++)
        engines++;
    const struct ordo_db_engine *engine = ordo_db_engine_find("hekaton", "logical");
    struct ordo_history_checker *checker = ordo_history_checker_create();
    struct ordo_db_options options;
    struct ordo_error error;
    struct ordo_db *db;
    memset(&options, 0, sizeof options);
    if (!engine || engines < 4 || !checker || ordo_db_open(&db, engine, &options))
        return 1;
    int code = ordo_db_audit(db, &error);
    ordo_db_close(db);
    ordo_history_checker_destroy(checker);
    return code;
}

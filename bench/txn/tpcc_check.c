/* The consistency conditions that the three transactions of TPC-C can break (clauses 3.3.2.1 to 3.3.2.4). No
 * transaction runs during the check. Superfluous rows are faults, as well as missing rows. */
#include "tpcc.h"

#define BEYOND 100 /* order numbers, from the next order on, that are searched for orders that were not committed */

/* Values of a district's own row, and sums over the rows that belong to the district. */
struct tally {
    uint32_t next_order;
    int64_t ytd_cents;
    uint64_t new_orders, lines, lines_ordered;
    uint32_t last_order, first_new_order, last_new_order;
};

static int see_lines(struct txn_client *client, uint64_t order_key, struct tally *tally, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (uint32_t l = 1; l <= TPCC_MOST_LINES && !code; l++) {
        struct tpcc_order_line line;
        bool found = false;
        code = txn_inspect(client, TPCC_ORDER_LINE, tpcc_line_key(order_key, l), &line, &found, error);
        tally->lines += found;
    }
    return code;
}

static int see_order(struct txn_client *client, uint64_t district_key, uint32_t o, struct tally *tally,
                     struct ordo_error *error)
{
    uint64_t key = tpcc_order_key(district_key, o);
    struct tpcc_order order;
    struct tpcc_new_order new_order;
    bool found = false, found_new = false;
    int code = txn_inspect(client, TPCC_ORDER, key, &order, &found, error);
    if (!code)
        code = txn_inspect(client, TPCC_NEW_ORDER, key, &new_order, &found_new, error);
    if (!code && found) {
        tally->last_order = o;
        tally->lines_ordered += order.lines;
    }
    if (!code && found_new) {
        tally->last_new_order = o;
        tally->first_new_order = tally->new_orders++ ? tally->first_new_order : o;
    }
    return code ? code : see_lines(client, key, tally, error);
}

static int see_district(struct txn_client *client, uint64_t key, struct tally *tally, struct ordo_error *error)
{
    struct tpcc_district district;
    int code = txn_inspect(client, TPCC_DISTRICT, key, &district, NULL, error);
    if (code)
        return code;
    *tally = (struct tally){.next_order = district.next_order, .ytd_cents = district.ytd_cents};
    for (uint32_t o = 1; o < district.next_order + BEYOND && !code; o++)
        code = see_order(client, key, o, tally, error);
    return code;
}

static int broken(struct ordo_error *error, int condition, uint32_t warehouse, uint32_t district, const char *what,
                  int64_t one, int64_t other)
{
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "TPC-C consistency condition %d: warehouse %u, district %u: %s: %jd and %jd", condition,
                          warehouse, district, what, (intmax_t)one, (intmax_t)other);
}

static int check_district(const struct tally *t, uint32_t w, uint32_t d, struct ordo_error *error)
{
    if (t->next_order - 1 != t->last_order)
        return broken(error, 2, w, d, "next and last order disagree", t->next_order, t->last_order);
    if (t->new_orders > 0 && t->last_order != t->last_new_order)
        return broken(error, 2, w, d, "last order and last new order disagree", t->last_order, t->last_new_order);
    if (t->new_orders > 0 && t->last_new_order - t->first_new_order + 1 != t->new_orders)
        return broken(error, 3, w, d, "the new orders have gaps", t->last_new_order - t->first_new_order + 1,
                      (int64_t)t->new_orders);
    if (t->lines_ordered != t->lines)
        return broken(error, 4, w, d, "lines of orders, and lines", (int64_t)t->lines_ordered, (int64_t)t->lines);
    return ORDO_OK;
}

static int check_warehouse(struct txn_client *client, uint32_t w, struct ordo_error *error)
{
    struct tpcc_warehouse warehouse;
    int64_t ytd_cents = 0;
    int code = txn_inspect(client, TPCC_WAREHOUSE, w, &warehouse, NULL, error);
    for (uint32_t d = 1; d <= TPCC_DISTRICTS && !code; d++) {
        struct tally tally = {0};
        code = see_district(client, tpcc_district_key(w, d), &tally, error);
        if (!code)
            code = check_district(&tally, w, d, error);
        ytd_cents += tally.ytd_cents;
    }
    if (!code && ytd_cents != warehouse.ytd_cents)
        return broken(error, 1, w, 0, "year to date of the warehouse and of its districts, in cents",
                      warehouse.ytd_cents, ytd_cents);
    return code;
}

int tpcc_check(struct txn_client *client, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (uint32_t w = 1; w <= client->store->options->warehouses && !code; w++)
        code = check_warehouse(client, w, error);
    return code;
}

/* The database of TPC-C before the first transaction (clause 4.3.3). */
#include <stdlib.h>
#include <string.h>

#include "tpcc.h"

#define WAREHOUSE_YTD_CENTS 30000000
#define DISTRICT_YTD_CENTS (WAREHOUSE_YTD_CENTS / TPCC_DISTRICTS)
#define FIRST_PAYMENT_CENTS 1000

/* Fills `data` with random text. One text in ten contains "ORIGINAL". */
static void load_data(struct txn_random *random, char data[50])
{
    tpcc_random_text(random, data, 50, 26, 50);
    if (txn_random_percent(random, 10))
        memcpy(data + txn_random_range(random, 0, 18), "ORIGINAL", 8);
}

static void load_address(struct txn_random *random, struct tpcc_address *address)
{
    tpcc_random_text(random, address->street_1, sizeof address->street_1, 10, 20);
    tpcc_random_text(random, address->street_2, sizeof address->street_2, 10, 20);
    tpcc_random_text(random, address->city, sizeof address->city, 10, 20);
    tpcc_random_text(random, address->state, sizeof address->state, 2, 2);
    tpcc_random_digits(random, address->zip, 4);
    memset(address->zip + 4, '1', 5);
}

static int load_items(struct txn_client *client, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (uint32_t i = 1; i <= TPCC_ITEMS && !code; i++) {
        struct tpcc_item item = {.image = (uint32_t)txn_random_range(&client->random, 1, 10000),
                                 .price_cents = (int64_t)txn_random_range(&client->random, 100, 10000)};
        tpcc_random_text(&client->random, item.name, sizeof item.name, 14, 24);
        load_data(&client->random, item.data);
        code = txn_load(client, TPCC_ITEM, i, &item, error);
    }
    return code;
}

static int load_stock(struct txn_client *client, uint32_t warehouse, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (uint32_t i = 1; i <= TPCC_ITEMS && !code; i++) {
        struct tpcc_stock stock = {.quantity = (int32_t)txn_random_range(&client->random, 10, 100)};
        for (int d = 0; d < TPCC_DISTRICTS; d++)
            tpcc_random_text(&client->random, stock.district_info[d], sizeof stock.district_info[d], 24, 24);
        load_data(&client->random, stock.data);
        code = txn_load(client, TPCC_STOCK, tpcc_stock_key(warehouse, i), &stock, error);
    }
    return code;
}

static int load_customer(struct txn_client *client, uint64_t key, uint32_t last_name, char first[16],
                         struct ordo_error *error)
{
    struct txn_random *random = &client->random;
    struct tpcc_customer customer = {.balance_cents = -FIRST_PAYMENT_CENTS,
                                     .ytd_payment_cents = FIRST_PAYMENT_CENTS,
                                     .credit_limit_cents = 5000000,
                                     .discount = (int32_t)txn_random_range(random, 0, 5000),
                                     .payments = 1,
                                     .middle = "OE"};
    tpcc_random_text(random, customer.first, sizeof customer.first, 8, 16);
    memcpy(first, customer.first, sizeof customer.first);
    tpcc_last_name(last_name, customer.last);
    tpcc_random_digits(random, customer.phone, sizeof customer.phone);
    memcpy(customer.credit, txn_random_percent(random, 10) ? "BC" : "GC", 2);
    load_address(random, &customer.address);
    tpcc_random_text(random, customer.data, sizeof customer.data, 300, 500);
    return txn_load(client, TPCC_CUSTOMER, key, &customer, error);
}

struct named {
    char first[16];
    uint16_t last_name, customer;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    if (one->last_name != other->last_name)
        return one->last_name < other->last_name ? -1 : 1;
    return memcmp(one->first, other->first, sizeof one->first);
}

static void index_names(struct tpcc_names *names, struct named named[TPCC_CUSTOMERS])
{
    qsort(named, TPCC_CUSTOMERS, sizeof *named, compare_named);
    for (uint32_t i = 0, name = 0; name <= TPCC_LAST_NAMES; name++) {
        while (i < TPCC_CUSTOMERS && named[i].last_name < name)
            i++;
        names->start[name] = i;
    }
    for (uint32_t i = 0; i < TPCC_CUSTOMERS; i++)
        names->customers[i] = named[i].customer;
}

static int load_customers(struct txn_client *client, uint64_t district, struct tpcc_names *names,
                          struct ordo_error *error)
{
    struct named *named = calloc(TPCC_CUSTOMERS, sizeof *named);
    int code = named ? ORDO_OK : ordo_error_errno(error, "%d customers", TPCC_CUSTOMERS);
    for (uint32_t c = 1; c <= TPCC_CUSTOMERS && !code; c++) {
        struct named *one = &named[c - 1];
        struct tpcc_history history = {
            .customer = tpcc_customer_key(district, c), .district = district, .amount_cents = FIRST_PAYMENT_CENTS};
        one->customer = (uint16_t)c;
        one->last_name = (uint16_t)tpcc_load_last_name(&client->random, c);
        code = load_customer(client, tpcc_customer_key(district, c), one->last_name, one->first, error);
        tpcc_random_text(&client->random, history.data, sizeof history.data, 12, 24);
        if (!code)
            code = txn_load(client, TPCC_HISTORY, txn_client_fresh(client), &history, error);
    }
    if (!code)
        index_names(names, named);
    free(named);
    return code;
}

static int load_lines(struct txn_client *client, uint32_t warehouse, uint64_t order_key, uint32_t lines, bool delivered,
                      struct ordo_error *error)
{
    int code = ORDO_OK;
    for (uint32_t l = 1; l <= lines && !code; l++) {
        struct tpcc_order_line line = {.item = (uint32_t)txn_random_range(&client->random, 1, TPCC_ITEMS),
                                       .supplier = warehouse,
                                       .quantity = 5,
                                       .delivery_s = delivered};
        if (!delivered)
            line.amount_cents = (int64_t)txn_random_range(&client->random, 1, 999999);
        tpcc_random_text(&client->random, line.district_info, sizeof line.district_info, 24, 24);
        code = txn_load(client, TPCC_ORDER_LINE, tpcc_line_key(order_key, l), &line, error);
    }
    return code;
}

static int load_order(struct txn_client *client, uint32_t warehouse, uint64_t district, uint32_t o, uint32_t customer,
                      struct ordo_error *error)
{
    uint64_t key = tpcc_order_key(district, o);
    bool delivered = o < TPCC_FIRST_UNDELIVERED;
    struct tpcc_order order = {.customer = customer,
                               .carrier = delivered ? (uint32_t)txn_random_range(&client->random, 1, 10) : 0,
                               .lines = (uint32_t)txn_random_range(&client->random, 5, TPCC_MOST_LINES),
                               .all_local = 1};
    const struct tpcc_new_order new_order = {key};
    const struct tpcc_last_order last_order = {.order = o};
    int code = txn_load(client, TPCC_ORDER, key, &order, error);
    if (!code)
        code = txn_load(client, TPCC_LAST_ORDER, tpcc_customer_key(district, customer), &last_order, error);
    if (!code && !delivered)
        code = txn_load(client, TPCC_NEW_ORDER, key, &new_order, error);
    return code ? code : load_lines(client, warehouse, key, order.lines, delivered, error);
}

/* Loads one order for each customer, in random order. */
static int load_orders(struct txn_client *client, uint32_t warehouse, uint64_t district, struct ordo_error *error)
{
    uint16_t customers[TPCC_FIRST_ORDERS];
    int code = ORDO_OK;
    for (uint32_t i = 0; i < TPCC_FIRST_ORDERS; i++) {
        uint32_t at = (uint32_t)txn_random_range(&client->random, 0, i);
        customers[i] = customers[at];
        customers[at] = (uint16_t)(i + 1);
    }
    for (uint32_t o = 1; o <= TPCC_FIRST_ORDERS && !code; o++)
        code = load_order(client, warehouse, district, o, customers[o - 1], error);
    return code;
}

static int load_district(struct txn_client *client, uint32_t warehouse, uint32_t d, struct ordo_error *error)
{
    uint64_t key = tpcc_district_key(warehouse, d);
    struct tpcc_names *names = client->store->shared;
    struct tpcc_district district = {.ytd_cents = DISTRICT_YTD_CENTS,
                                     .tax = (int32_t)txn_random_range(&client->random, 0, 2000),
                                     .next_order = TPCC_FIRST_ORDERS + 1};
    tpcc_random_text(&client->random, district.name, sizeof district.name, 6, 10);
    load_address(&client->random, &district.address);
    int code = txn_load(client, TPCC_DISTRICT, key, &district, error);
    if (!code)
        code = load_customers(client, key, &names[(warehouse - 1) * TPCC_DISTRICTS + d - 1], error);
    return code ? code : load_orders(client, warehouse, key, error);
}

static int load_warehouse(struct txn_client *client, uint32_t w, struct ordo_error *error)
{
    struct tpcc_warehouse warehouse = {.ytd_cents = WAREHOUSE_YTD_CENTS,
                                       .tax = (int32_t)txn_random_range(&client->random, 0, 2000)};
    tpcc_random_text(&client->random, warehouse.name, sizeof warehouse.name, 6, 10);
    load_address(&client->random, &warehouse.address);
    int code = txn_load(client, TPCC_WAREHOUSE, w, &warehouse, error);
    if (!code)
        code = load_stock(client, w, error);
    for (uint32_t d = 1; d <= TPCC_DISTRICTS && !code; d++)
        code = load_district(client, w, d, error);
    return code;
}

static int create_tables(struct txn_store *store, struct ordo_error *error)
{
    const uint64_t w = store->options->warehouses, d = w * TPCC_DISTRICTS;
    const struct {
        size_t bytes;
        uint64_t rows; /* rows to expect; tables that grow get more than their first rows */
    } tables[TPCC_TABLES] = {
        [TPCC_WAREHOUSE] = {sizeof(struct tpcc_warehouse), w},
        [TPCC_DISTRICT] = {sizeof(struct tpcc_district), d},
        [TPCC_CUSTOMER] = {sizeof(struct tpcc_customer), d * TPCC_CUSTOMERS},
        [TPCC_LAST_ORDER] = {sizeof(struct tpcc_last_order), d * TPCC_CUSTOMERS},
        [TPCC_HISTORY] = {sizeof(struct tpcc_history), 4 * d * TPCC_CUSTOMERS},
        [TPCC_ORDER] = {sizeof(struct tpcc_order), 4 * d * TPCC_FIRST_ORDERS},
        [TPCC_NEW_ORDER] = {sizeof(struct tpcc_new_order), 4 * d * TPCC_FIRST_ORDERS},
        [TPCC_ORDER_LINE] = {sizeof(struct tpcc_order_line), 40 * d * TPCC_FIRST_ORDERS},
        [TPCC_ITEM] = {sizeof(struct tpcc_item), TPCC_ITEMS},
        [TPCC_STOCK] = {sizeof(struct tpcc_stock), w * TPCC_ITEMS},
    };
    int code = ORDO_OK;
    for (int t = 0; t < TPCC_TABLES && !code; t++)
        code = txn_store_table(store, t, tables[t].bytes, tables[t].rows, error);
    return code;
}

int tpcc_load(struct txn_client *client, struct ordo_error *error)
{
    struct txn_store *store = client->store;
    size_t districts = (size_t)store->options->warehouses * TPCC_DISTRICTS;
    store->shared = calloc(districts, sizeof(struct tpcc_names));
    if (!store->shared)
        return ordo_error_errno(error, "the names of %zu districts", districts);
    int code = create_tables(store, error);
    if (!code)
        code = load_items(client, error);
    for (uint32_t w = 1; w <= store->options->warehouses && !code; w++)
        code = load_warehouse(client, w, error);
    return code;
}

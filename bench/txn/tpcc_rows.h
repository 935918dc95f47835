/* The rows of TPC-C (standard specification 5.11, clause 1.3) as fixed-size records, and their 64-bit keys. Amounts are
 * whole cents, so that sums are exact and the consistency conditions can be checked to the cent. Taxes and discounts
 * are in units of 1/10000. */
#ifndef BENCH_TXN_TPCC_ROWS_H
#define BENCH_TXN_TPCC_ROWS_H

#include <stdint.h>

#define TPCC_DISTRICTS 10
#define TPCC_CUSTOMERS 3000 /* customers of a district */
#define TPCC_ITEMS 100000
#define TPCC_FIRST_ORDERS 3000 /* orders of a district before the first transaction */
#define TPCC_FIRST_UNDELIVERED 2101
#define TPCC_MOST_LINES 15
#define TPCC_LAST_NAMES 1000

struct tpcc_address {
    char street_1[20], street_2[20], city[20], state[2], zip[9];
};

struct tpcc_warehouse {
    int64_t ytd_cents;
    int32_t tax;
    char name[10];
    struct tpcc_address address;
};

struct tpcc_district {
    int64_t ytd_cents;
    int32_t tax;
    uint32_t next_order;
    char name[10];
    struct tpcc_address address;
};

struct tpcc_customer {
    int64_t balance_cents, ytd_payment_cents, credit_limit_cents, since_s;
    int32_t discount;
    uint32_t payments, deliveries;
    char first[16], middle[2], last[16], phone[16], credit[2];
    struct tpcc_address address;
    char data[500];
};

struct tpcc_history {
    uint64_t customer, district; /* keys */
    int64_t date_s, amount_cents;
    char data[24];
};

struct tpcc_order {
    int64_t entry_s;
    uint32_t customer, carrier, lines, all_local;
};

struct tpcc_new_order {
    uint64_t order; /* the order's key; the presence of the row is the only information */
};

struct tpcc_order_line {
    int64_t delivery_s, amount_cents;
    uint32_t item, supplier, quantity;
    char district_info[24];
};

struct tpcc_item {
    int64_t price_cents;
    uint32_t image;
    char name[24], data[50];
};

struct tpcc_stock {
    int32_t quantity;
    uint32_t ytd, orders, remote_orders;
    char district_info[TPCC_DISTRICTS][24], data[50];
};

/** The latest order of a customer, for OrderStatus; it replaces an index over orders. */
struct tpcc_last_order {
    uint32_t order, unused;
};

enum tpcc_table {
    TPCC_WAREHOUSE,
    TPCC_DISTRICT,
    TPCC_CUSTOMER,
    TPCC_LAST_ORDER,
    TPCC_HISTORY,
    TPCC_ORDER,
    TPCC_NEW_ORDER,
    TPCC_ORDER_LINE,
    TPCC_ITEM,
    TPCC_STOCK,
    TPCC_TABLES
};

/* Warehouses, districts, customers, items, orders and lines are numbered from 1, as in the specification. */

static inline uint64_t tpcc_district_key(uint32_t warehouse, uint32_t district)
{
    return (uint64_t)warehouse << 4 | district;
}

static inline uint64_t tpcc_customer_key(uint64_t district_key, uint32_t customer)
{
    return district_key << 12 | customer;
}

static inline uint64_t tpcc_order_key(uint64_t district_key, uint32_t order)
{
    return district_key << 32 | order;
}

static inline uint64_t tpcc_line_key(uint64_t order_key, uint32_t line)
{
    return order_key << 4 | line;
}

static inline uint64_t tpcc_stock_key(uint32_t warehouse, uint32_t item)
{
    return (uint64_t)warehouse << 17 | item;
}

#endif

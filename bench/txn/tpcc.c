#include "tpcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEW_ORDER_SHARE 45
#define PAYMENT_SHARE 43
#define ORDER_STATUS_SHARE 4

uint32_t tpcc_by_last_name(const struct txn_store *store, uint64_t district_key, uint32_t last_name)
{
    const struct tpcc_names *all = store->shared;
    const struct tpcc_names *names = &all[((district_key >> 4) - 1) * TPCC_DISTRICTS + (district_key & 15) - 1];
    uint32_t start = names->start[last_name], count = names->start[last_name + 1] - start;
    return count ? names->customers[start + (count - 1) / 2] : 0;
}

static uint32_t other_warehouse(struct txn_client *client, uint32_t home)
{
    uint32_t warehouses = client->store->options->warehouses;
    if (warehouses == 1)
        return home;
    uint32_t other = (uint32_t)txn_random_range(&client->random, 1, warehouses - 1);
    return other + (other >= home);
}

/* Draws the input of NewOrder (clause 2.4.1). */
static void draw_new_order(struct txn_client *client, struct txn_tpcc_input *input)
{
    input->customer = tpcc_random_customer(&client->random);
    input->lines = (uint32_t)txn_random_range(&client->random, 5, TPCC_MOST_LINES);
    for (uint32_t l = 0; l < input->lines; l++) {
        bool remote = txn_random_percent(&client->random, 1);
        input->items[l] = tpcc_random_item(&client->random);
        input->suppliers[l] = remote ? other_warehouse(client, input->warehouse) : input->warehouse;
        input->quantities[l] = (uint32_t)txn_random_range(&client->random, 1, 10);
    }
    if (txn_random_percent(&client->random, 1))
        input->items[input->lines - 1] = TPCC_ITEMS + 1; /* this item does not exist: the transaction rolls back */
}

/* Draws a customer. 60% of the customers are identified by their last name (clauses 2.5.1.2 and 2.6.1.2). */
static void draw_customer(struct txn_client *client, struct txn_tpcc_input *input, uint64_t district)
{
    input->customer_district = district;
    input->customer = 0;
    if (txn_random_percent(&client->random, 60))
        input->customer = tpcc_by_last_name(client->store, district, tpcc_random_last_name(&client->random));
    if (!input->customer)
        input->customer = tpcc_random_customer(&client->random);
}

static void draw_tpcc(struct txn_client *client)
{
    struct txn_tpcc_input *input = &client->input.tpcc;
    unsigned share =
        (unsigned)txn_random_range(&client->random, 1, NEW_ORDER_SHARE + PAYMENT_SHARE + ORDER_STATUS_SHARE);
    input->warehouse = (uint32_t)(client->index % (int)client->store->options->warehouses) + 1;
    input->district = tpcc_district_key(input->warehouse, (uint32_t)txn_random_range(&client->random, 1, 10));
    client->read_only = false;
    if (share <= NEW_ORDER_SHARE) {
        input->execute = tpcc_new_order;
        draw_new_order(client, input);
    } else if (share <= NEW_ORDER_SHARE + PAYMENT_SHARE) {
        bool remote = txn_random_percent(&client->random, 15);
        uint64_t away = tpcc_district_key(other_warehouse(client, input->warehouse),
                                          (uint32_t)txn_random_range(&client->random, 1, 10));
        input->execute = tpcc_payment;
        input->cents = (int64_t)txn_random_range(&client->random, 100, 500000);
        draw_customer(client, input, remote ? away : input->district);
    } else {
        input->execute = tpcc_order_status;
        client->read_only = true;
        draw_customer(client, input, input->district);
    }
}

static int execute_tpcc(struct txn_client *client)
{
    return client->input.tpcc.execute(client);
}

/* Updates the stock of one order line, and inserts the line. */
static int order_line(struct txn_client *client, uint64_t order_key, uint32_t l, bool *local)
{
    const struct txn_tpcc_input *input = &client->input.tpcc;
    const void *item;
    void *record;
    int code = txn_view(client, TPCC_ITEM, input->items[l], &item);
    if (code)
        return code == ORDO_TXN_ABSENT ? TXN_ROLLBACK : code;
    code = txn_update(client, TPCC_STOCK, tpcc_stock_key(input->suppliers[l], input->items[l]), &record);
    if (code)
        return code;
    struct tpcc_stock *stock = record;
    int32_t quantity = (int32_t)input->quantities[l];
    bool remote = input->suppliers[l] != input->warehouse;
    stock->quantity += stock->quantity >= quantity + 10 ? -quantity : 91 - quantity;
    stock->ytd += (uint32_t)quantity;
    stock->orders++;
    stock->remote_orders += remote;
    *local &= !remote;
    code = txn_insert(client, TPCC_ORDER_LINE, tpcc_line_key(order_key, l + 1), &record);
    if (code)
        return code;
    struct tpcc_order_line *line = record;
    *line = (struct tpcc_order_line){.item = input->items[l],
                                     .supplier = input->suppliers[l],
                                     .quantity = (uint32_t)quantity,
                                     .amount_cents = ((const struct tpcc_item *)item)->price_cents * quantity};
    memcpy(line->district_info, stock->district_info[(input->district & 15) - 1], sizeof line->district_info);
    return ORDO_OK;
}

/* Inserts the order, its entry among the undelivered orders, and its entry as the customer's latest order. */
static int add_order(struct txn_client *client, uint64_t order_key, bool local)
{
    const struct txn_tpcc_input *input = &client->input.tpcc;
    void *record;
    int code = txn_insert(client, TPCC_ORDER, order_key, &record);
    if (code)
        return code;
    *(struct tpcc_order *)record =
        (struct tpcc_order){.customer = input->customer, .lines = input->lines, .all_local = local};
    code = txn_insert(client, TPCC_NEW_ORDER, order_key, &record);
    if (code)
        return code;
    *(struct tpcc_new_order *)record = (struct tpcc_new_order){order_key};
    code = txn_update(client, TPCC_LAST_ORDER, tpcc_customer_key(input->district, input->customer), &record);
    if (!code)
        *(struct tpcc_last_order *)record = (struct tpcc_last_order){.order = (uint32_t)order_key};
    return code;
}

/* NewOrder (clause 2.4.2). */
int tpcc_new_order(struct txn_client *client)
{
    const struct txn_tpcc_input *input = &client->input.tpcc;
    struct tpcc_warehouse warehouse;
    struct tpcc_customer customer;
    void *record;
    bool local = true;
    int code = txn_read(client, TPCC_WAREHOUSE, input->warehouse, &warehouse);
    if (!code)
        code = txn_update(client, TPCC_DISTRICT, input->district, &record);
    if (code)
        return code;
    uint64_t order_key = tpcc_order_key(input->district, ((struct tpcc_district *)record)->next_order++);
    code = txn_read(client, TPCC_CUSTOMER, tpcc_customer_key(input->district, input->customer), &customer);
    for (uint32_t l = 0; l < input->lines && !code; l++)
        code = order_line(client, order_key, l, &local);
    return code ? code : add_order(client, order_key, local);
}

/* Applies a payment to a customer. If the customer has bad credit, the payment is also written at the beginning of the
 * customer's data (clause 2.5.2.2). */
static void pay(struct tpcc_customer *customer, const struct txn_tpcc_input *input)
{
    char note[64];
    customer->balance_cents -= input->cents;
    customer->ytd_payment_cents += input->cents;
    customer->payments++;
    if (memcmp(customer->credit, "BC", 2) != 0)
        return;
    int length = snprintf(note, sizeof note, "%u %u %u %jd ", input->customer, (unsigned)input->customer_district,
                          (unsigned)input->district, (intmax_t)input->cents);
    memmove(customer->data + length, customer->data, sizeof customer->data - (size_t)length);
    memcpy(customer->data, note, (size_t)length);
}

/* Payment (clause 2.5.2). */
int tpcc_payment(struct txn_client *client)
{
    const struct txn_tpcc_input *input = &client->input.tpcc;
    uint64_t customer_key = tpcc_customer_key(input->customer_district, input->customer);
    void *warehouse, *district, *customer, *record;
    int code = txn_update(client, TPCC_WAREHOUSE, input->warehouse, &warehouse);
    if (!code)
        code = txn_update(client, TPCC_DISTRICT, input->district, &district);
    if (!code)
        code = txn_update(client, TPCC_CUSTOMER, customer_key, &customer);
    if (!code)
        code = txn_insert(client, TPCC_HISTORY, txn_client_fresh(client), &record);
    if (code)
        return code;
    struct tpcc_history *history = record;
    ((struct tpcc_warehouse *)warehouse)->ytd_cents += input->cents;
    ((struct tpcc_district *)district)->ytd_cents += input->cents;
    pay(customer, input);
    *history =
        (struct tpcc_history){.customer = customer_key, .district = input->district, .amount_cents = input->cents};
    memcpy(history->data, ((struct tpcc_warehouse *)warehouse)->name, 10);
    memcpy(history->data + 14, ((struct tpcc_district *)district)->name, 10);
    return ORDO_OK;
}

/* OrderStatus (clause 2.6.2), which only reads. */
int tpcc_order_status(struct txn_client *client)
{
    const struct txn_tpcc_input *input = &client->input.tpcc;
    uint64_t customer_key = tpcc_customer_key(input->customer_district, input->customer);
    struct tpcc_customer customer;
    struct tpcc_order_line line;
    const void *last, *order;
    int code = txn_read(client, TPCC_CUSTOMER, customer_key, &customer);
    if (!code)
        code = txn_view(client, TPCC_LAST_ORDER, customer_key, &last);
    if (code)
        return code;
    uint64_t order_key = tpcc_order_key(input->customer_district, ((const struct tpcc_last_order *)last)->order);
    code = txn_view(client, TPCC_ORDER, order_key, &order);
    for (uint32_t l = 1; !code && l <= ((const struct tpcc_order *)order)->lines; l++)
        code = txn_read(client, TPCC_ORDER_LINE, tpcc_line_key(order_key, l), &line);
    return code;
}

const struct txn_workload txn_tpcc = {
    .name = "tpcc",
    .load = tpcc_load,
    .draw = draw_tpcc,
    .execute = execute_tpcc,
    .check = tpcc_check,
};

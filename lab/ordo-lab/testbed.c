#include "lab/ordo-lab/testbed.h"

#include <stdio.h>

#include "json/builder.h"

static const double fast_ethernet_bps = 1e8, share = 0.1;

const char *const testbed_protocols[TESTBED_PROTOCOLS] = {"ntp", "ptp"};

static const char *const figures[ORDO_NET_TESTBED_FIGURES] = {"mean", "stddev", "p75", "p95", "p99"}, *const uses[] = {
                                                                                                          "absent",
                                                                                                          "fitted",
                                                                                                          "predicted",
                                                                                                          "left"};

static void print_figure(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure)
{
    enum ordo_net_testbed_use use = row->use[figure];
    printf("%-4s", row->protocol);
    if (row->system_hz)
        printf(" %3d Hz", row->system_hz);
    else
        printf(" %6s", "-");
    printf(" %-7s %12.1f %12.1f", figures[figure], row->published_ns[figure], row->simulated_ns[figure]);
    if (use == ORDO_NET_TESTBED_LEFT)
        printf(" %7s  not predicted\n", "-");
    else
        printf(" %+6.0f%%  %s%s\n", ordo_net_testbed_error(row, figure) * 100, uses[use],
               ordo_net_testbed_holds(row, figure) ? "" : ", MISSED by more than 25%");
}

static void print_traffic(const struct testbed *testbed, int protocol)
{
    printf("\n%s, bytes/s of the %s\n%8s %12s %12s %12s\n", testbed_protocols[protocol],
           protocol == 0 ? "server, a poll each 8 s" : "master, a Sync each second", "clients", "arithmetic",
           "with others", "counted");
    for (int i = 0; i < ORDO_NET_TESTBED_CLIENTS; i++) {
        const struct ordo_net_testbed_traffic *traffic = &testbed->traffic[protocol][i];
        printf("%8d %12.1f %12.1f %12.1f\n", traffic->clients, traffic->arithmetic,
               traffic->arithmetic + traffic->announce, traffic->counted);
    }
    printf("a tenth of 100 Mbit/s is enough for %.0f clients\n",
           ordo_net_testbed_clients(testbed_protocols[protocol], fast_ethernet_bps, share));
}

void testbed_print_table(const struct testbed *testbed)
{
    printf("offset of two boards, ns; %g s simulated for each row, seed %llu\n%-4s %6s %-7s %12s %12s %7s\n",
           testbed->seconds, (unsigned long long)testbed->seed, "", "update", "", "published", "simulated", "error");
    for (int i = 0; i < ORDO_NET_TESTBED_ROWS; i++)
        for (int figure = 0; figure < ORDO_NET_TESTBED_FIGURES; figure++)
            if (testbed->rows[i].use[figure] != ORDO_NET_TESTBED_ABSENT)
                print_figure(&testbed->rows[i], (enum ordo_net_testbed_figure)figure);
    for (int protocol = 0; protocol < TESTBED_PROTOCOLS; protocol++)
        print_traffic(testbed, protocol);
}

void testbed_print_csv(const struct testbed *testbed)
{
    printf("table,protocol,update_hz,clients,figure,published,simulated,use\n");
    for (int i = 0; i < ORDO_NET_TESTBED_ROWS; i++)
        for (int figure = 0; figure < ORDO_NET_TESTBED_FIGURES; figure++) {
            const struct ordo_net_testbed_row *row = &testbed->rows[i];
            if (row->use[figure] != ORDO_NET_TESTBED_ABSENT)
                printf("offset,%s,%d,1,%s_ns,%.9g,%.9g,%s\n", row->protocol, row->system_hz, figures[figure],
                       row->published_ns[figure], row->simulated_ns[figure], uses[row->use[figure]]);
        }
    for (int protocol = 0; protocol < TESTBED_PROTOCOLS; protocol++)
        for (int i = 0; i < ORDO_NET_TESTBED_CLIENTS; i++) {
            const struct ordo_net_testbed_traffic *traffic = &testbed->traffic[protocol][i];
            printf("traffic,%s,0,%d,bytes_per_second,%.9g,%.9g,predicted\n", testbed_protocols[protocol],
                   traffic->clients, traffic->arithmetic + traffic->announce, traffic->counted);
        }
}

static struct ordo_json figure_of(const struct ordo_net_testbed_row *row, enum ordo_net_testbed_figure figure)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "figure", figures[figure]);
    ordo_json_put_real(&object, "published_ns", row->published_ns[figure]);
    ordo_json_put_real(&object, "simulated_ns", row->simulated_ns[figure]);
    ordo_json_put_text(&object, "use", uses[row->use[figure]]);
    ordo_json_put_bool(&object, "holds", ordo_net_testbed_holds(row, figure));
    return object;
}

static struct ordo_json row_of(const struct ordo_net_testbed_row *row)
{
    struct ordo_json object = ordo_json_object(), list = ordo_json_array();
    for (int figure = 0; figure < ORDO_NET_TESTBED_FIGURES; figure++)
        if (row->use[figure] != ORDO_NET_TESTBED_ABSENT)
            ordo_json_add(&list, figure_of(row, (enum ordo_net_testbed_figure)figure));
    ordo_json_put_text(&object, "protocol", row->protocol);
    ordo_json_put_int(&object, "update_hz", row->system_hz);
    ordo_json_put(&object, "figures", list);
    return object;
}

static struct ordo_json traffic_of(const struct testbed *testbed, int protocol, int index)
{
    const struct ordo_net_testbed_traffic *traffic = &testbed->traffic[protocol][index];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "protocol", testbed_protocols[protocol]);
    ordo_json_put_int(&object, "clients", traffic->clients);
    ordo_json_put_real(&object, "arithmetic_bytes_per_second", traffic->arithmetic);
    ordo_json_put_real(&object, "announce_bytes_per_second", traffic->announce);
    ordo_json_put_real(&object, "counted_bytes_per_second", traffic->counted);
    return object;
}

int testbed_print_json(const struct testbed *testbed)
{
    struct ordo_json document = ordo_json_document("ordo-lab-testbed/1"), rows = ordo_json_array(),
                     traffic = ordo_json_array();
    for (int i = 0; i < ORDO_NET_TESTBED_ROWS; i++)
        ordo_json_add(&rows, row_of(&testbed->rows[i]));
    for (int protocol = 0; protocol < TESTBED_PROTOCOLS; protocol++)
        for (int i = 0; i < ORDO_NET_TESTBED_CLIENTS; i++)
            ordo_json_add(&traffic, traffic_of(testbed, protocol, i));
    ordo_json_put_real(&document, "simulated_s", testbed->seconds);
    ordo_json_put_int(&document, "seed", (int64_t)testbed->seed);
    ordo_json_put(&document, "rows", rows);
    ordo_json_put(&document, "traffic", traffic);
    return ordo_json_write(&document, stdout);
}

/* ordo-net agent: lets other hosts measure the clock of this host, and measures clocks of other hosts on request. */
#include <signal.h>
#include <string.h>

#include "common/command.h"
#include "common/options.h"
#include "net/live/agent.h"
#include "ordo-net/claimed.h"
#include "ordo-net/clock.h"

struct options {
    const char *listen, *key, *clock, *claims;
    int rate;
    bool quiet;
};

enum { LISTEN = 1, KEY, CLOCK, RATE, CLAIMS };

static const struct argp_option argp_options[] = {
    {"listen", LISTEN, "ADDR", 0,
     "Address to listen at: HOST, HOST:PORT or [IPV6]:PORT (default [::]:21075, which takes IPv4 as well)", 1},
    {"key", KEY, "FILE", 0,
     "File of the key that the hosts share: 64 hexadecimal digits; or of several keys, each after its number; its mode "
     "is 0600 (required)",
     1},
    {"clock", CLOCK, "CLOCK", 0,
     "realtime: stamped by the kernel (the default); monotonic: stamped by this process; hardware: the clock of the "
     "network interface with the address ADDR",
     1},
    {"rate", RATE, "N", 0, "Most queries per second from one address (default 20000)", 1},
    {"claims", CLAIMS, "LIST", 0,
     "Programs of this host whose claims about UTC 'ordo-net audit' may read: NAME or NAME=PATH, separated by commas, "
     "of "
     "'ordo-net audit --list' (default all of them); none: tell no claims",
     1},
    {"quiet", 'q', NULL, 0, "Do not print the address", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(LISTEN, "--listen", struct options, listen),
    CLI_TEXT_STORE(KEY, "--key", struct options, key),
    CLI_TEXT_STORE(CLOCK, "--clock", struct options, clock),
    CLI_STORE(RATE, "--rate", struct options, rate, 10, 1000000),
    CLI_TEXT_STORE(CLAIMS, "--claims", struct options, claims),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    {0},
};

static error_t parse_agent(int key, char *argument, struct argp_state *state)
{
    const struct options *options = state->input;
    if (key == ARGP_KEY_END && !options->key)
        cli_wrong(state, "no key: give --key FILE, because an agent without a key answers no query");
    if (key == ARGP_KEY_END && clock_of(options->clock) < 0)
        cli_wrong(state, "--clock %.40s: not one of realtime, monotonic, hardware", options->clock);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_agent,
    NULL,
    "Answers 'ordo-net measure', 'ordo-net audit' and programs with <ordo/net.h>, if they have the key, and probes "
    "other agents when "
    "'ordo-net measure' requests it. Never sets a clock. Needs no privileges: run it as an unprivileged user, such as "
    "nobody.\vSIGUSR1 prints how much was accepted and refused so far. So do SIGTERM and SIGINT, which end the agent. "
    "Exit status: 0 ended by a signal; 2 this host cannot use the clock; 64 usage; 70 internal, such as a key or an "
    "address that cannot be used.",
    NULL,
    NULL,
    NULL};

static volatile sig_atomic_t ended, asked;

static void heed(int number)
{
    *(number == SIGUSR1 ? &asked : &ended) = 1;
}

static void take_signals(void)
{
    struct sigaction action = {.sa_handler = heed};
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGUSR1, &action, NULL);
}

static int listen_at(struct ordo_net_port *port, const struct options *options, struct ordo_error *error)
{
    struct ordo_net_address address;
    enum ordo_net_clock clock = (enum ordo_net_clock)clock_of(options->clock);
    int code = ordo_net_address_find(&address, options->listen ? options->listen : "[::]", error);
    if (!code)
        code = ordo_net_socket_open(&port->socket, &address, 0, clock, error);
    if (!code || options->listen)
        return code;
    code = ordo_net_address_find(&address, "0.0.0.0", error); /* if the kernel has no IPv6 */
    return code ? code : ordo_net_socket_open(&port->socket, &address, 0, clock, error);
}

static void print_counts(const struct ordo_net_port *port)
{
    printf("accepted %llu, refused", (unsigned long long)port->accepted);
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        printf(" %s %llu%s", ordo_net_refusal_name(i), (unsigned long long)port->refused[i],
               i + 1 < ORDO_NET_REFUSALS ? "," : "\n");
    (void)fflush(stdout);
}

static void say(const struct options *options, const struct ordo_net_socket *sock)
{
    struct ordo_net_address address = {.bytes = sizeof address.socket};
    char text[ORDO_NET_ADDRESS_TEXT];
    if (options->quiet || getsockname(sock->fd, &address.socket.any, &address.bytes))
        return;
    ordo_net_address_print(&address, text);
    fprintf(stderr, "ordo-net agent: listens at %s, clock %s, stamps by the %s\n", text,
            ordo_net_clock_name(sock->clock), ordo_net_stamps_name(sock->stamps));
}

static void serve(struct ordo_net_agent *agent)
{
    const int64_t at_most_ns = 200000000; /* longest wait, because a signal just before the wait does not end it */
    while (!ended) {
        ordo_net_agent_step(agent, ordo_net_port_now_ns() + at_most_ns);
        if (asked) {
            asked = 0;
            print_counts(ordo_net_agent_port(agent));
        }
    }
    print_counts(ordo_net_agent_port(agent));
}

/* Serves until a signal ends it. Without sources, no thread is needed. */
static int run_with_claims(const struct options *options, const struct ordo_net_port *port,
                           const struct claimed *claimed, const char *program)
{
    struct ordo_net_agent *agent = ordo_net_agent_new(port, options->rate);
    struct ordo_net_claims *claims =
        agent && claimed->count > 0 ? ordo_net_claims_new(claimed->source, claimed->count, port->socket.clock) : NULL;
    if (!agent || (claimed->count > 0 && !claims)) {
        ordo_net_agent_free(agent);
        return cli_fail(EXIT_INTERNAL, program, "out of memory or threads");
    }
    ordo_net_agent_tell(agent, claims);
    say(options, &port->socket);
    serve(agent);
    ordo_net_agent_free(agent);
    return EXIT_OK;
}

static int run_agent(int argc, char **argv)
{
    struct options options = {.clock = "realtime", .rate = 20000};
    struct ordo_net_port port = {0};
    struct claimed claimed = {0};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    int code = ordo_net_keys_read(&port.keys, options.key, &error);
    if (!code)
        code = claimed_parse(&claimed, options.claims, &error);
    if (!code)
        code = listen_at(&port, &options, &error);
    if (!code) {
        take_signals();
        code = run_with_claims(&options, &port, &claimed, argv[0]);
    } else {
        code = cli_fail(code == ORDO_E_CLOCK     ? EXIT_UNKNOWN
                        : code == ORDO_E_INVALID ? EXIT_USAGE
                                                 : EXIT_INTERNAL,
                        argv[0], error.text);
    }
    claimed_free(&claimed);
    ordo_net_keys_forget(&port.keys);
    return code;
}

const struct command command_agent = {
    .name = "agent",
    .title = "let others measure the clock of this host",
    .run = run_agent,
};

/* Calls libordo-net without an agent; valid C and C++. */
#include <string.h>

#include <ordo/net.h>

int main(void)
{
    struct ordo_net_peer_options options;
    struct ordo_net_peer *peer = NULL;
    struct ordo_error error;
    memset(&options, 0, sizeof options);
    options.address = "127.0.0.1";
    options.key = "/no such key";
    int code = ordo_net_peer_open(&options, &peer, &error);
    struct ordo_global_time never = ordo_net_peer_now(peer);
    ordo_net_peer_close(peer);
    return code != ORDO_E_MISSING || !error.text[0] || ordo_global_compare(never, never) != 0;
}

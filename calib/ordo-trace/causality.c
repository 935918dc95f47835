#include "causality.h"

struct ordo_json causality_json(const struct ordo_causality *causality)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "messages", (int64_t)causality->messages);
    ordo_json_put_int(&object, "unmatched", (int64_t)causality->unmatched);
    ordo_json_put_int(&object, "messages_violated_before", (int64_t)causality->before);
    ordo_json_put_int(&object, "messages_violated_after", (int64_t)causality->after);
    ordo_json_put_int(&object, "messages_contradicting_bounds", (int64_t)causality->certain);
    ordo_json_put_int(&object, "collectives", (int64_t)causality->collectives);
    ordo_json_put_int(&object, "collectives_violated_before", (int64_t)causality->collectives_before);
    ordo_json_put_int(&object, "collectives_violated_after", (int64_t)causality->collectives_after);
    return object;
}

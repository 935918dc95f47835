/* A prediction as a document, schema ordo-prediction/1. */
#include "lab/cores/machine/machine.h"
#include "lab/cores/predictions/predictions.h"

static struct ordo_json range_json(struct cores_range range)
{
    struct ordo_json array = ordo_json_array();
    ordo_json_add(&array, ordo_json_int(range.low));
    ordo_json_add(&array, ordo_json_int(range.likely));
    ordo_json_add(&array, ordo_json_int(range.high));
    return array;
}

/* The longest and the shortest transfer between two cores. */
static void put_transfers(struct ordo_json *object, const struct cores_machine *machine)
{
    size_t cpus = (size_t)machine->cpus;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < cpus * cpus; i++) {
        uint32_t ps = machine->transfer_ps[i];
        if (machine->core[i / cpus] == machine->core[i % cpus])
            continue;
        least = ps < least ? ps : least;
        most = ps > most ? ps : most;
    }
    ordo_json_put_ints(object, "transfer_ps", least, most);
}

/* The constants of the machine that decide the predicted quantities. */
static struct ordo_json constants_json(const struct cores_machine *machine, const struct cores_prediction *prediction)
{
    struct ordo_json object = ordo_json_object();
    put_transfers(&object, machine);
    ordo_json_put(&object, "transfer_percent", range_json(machine->transfer_percent));
    ordo_json_put(&object, "overlap", range_json(machine->overlap));
    ordo_json_put_int(&object, "cycle_ps", machine->cycle_ps);
    ordo_json_put_int(&object, "instruction_ps", machine->instruction_ps);
    ordo_json_put_int(&object, "update_ps", machine->update_ps);
    ordo_json_put_int(&object, "pause_ps", machine->pause_ps);
    ordo_json_put_int(&object, "clock_ps", machine->clock_ps);
    ordo_json_put_int(&object, "call_ps", machine->call_ps);
    ordo_json_put_int(&object, "wake_ps", machine->wake_ps);
    ordo_json_put_int(&object, "wake_call_ps", machine->wake_call_ps);
    ordo_json_put_int(&object, "switch_ps", machine->switch_ps);
    ordo_json_put_int(&object, "smt_percent", machine->smt_percent);
    ordo_json_put_int(&object, "spread_percent", prediction->spread_percent);
    return object;
}

static struct ordo_json loop_json(const struct cores_predicted_loop *loop)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "algorithm", loop->algorithm);
    ordo_json_put_text(&object, "seconds", loop->seconds);
    ordo_json_put_text(&object, "stall_ns", loop->stall_ns);
    ordo_json_put_text(&object, "stall_each_ns", loop->stall_each_ns);
    return object;
}

static void put_loops(struct ordo_json *object, const struct cores_prediction *prediction)
{
    ordo_json_put_text(object, "figure", prediction->figure);
    ordo_json_put(object, "of", loop_json(&prediction->of));
    if (prediction->over.algorithm)
        ordo_json_put(object, "over", loop_json(&prediction->over));
    if (prediction->crowded_above) {
        ordo_json_put(object, "crowded", loop_json(&prediction->crowded));
        ordo_json_put_int(object, "crowded_above", prediction->crowded_above);
    }
    if (prediction->saturated_above)
        ordo_json_put_int(object, "saturated_above", prediction->saturated_above);
    if (prediction->alone_above)
        ordo_json_put_int(object, "alone_above", prediction->alone_above);
    ordo_json_put_text(object, "cpus", prediction->cpus);
    ordo_json_put_text(object, "work_ns", prediction->work_ns);
    ordo_json_put_text(object, "slack_ns", prediction->slack_ns);
    ordo_json_put_int(object, "seeds", prediction->seeds);
}

static int put_ratio(struct ordo_json *object, const struct cores_prediction *prediction, struct ordo_error *error)
{
    const struct cores_predicted_ratio *ratio = prediction->ratio;
    int64_t work_ns = 0;
    int code = ratio->stamps ? cores_predict_work(prediction, &work_ns, error) : ORDO_OK;
    ordo_json_put_text(object, "command", ratio->command);
    ordo_json_put_text(object, "of", ratio->of);
    ordo_json_put_text(object, "over", ratio->over);
    ordo_json_put_text(object, "seconds", ratio->seconds);
    ordo_json_put_int(object, "boundary_ns", ratio->boundary_ns);
    if (ratio->stamps) {
        ordo_json_put_int(object, "stamps", ratio->stamps);
        ordo_json_put_text(object, "transaction", ratio->transaction);
        ordo_json_put_int(object, "work_ns", work_ns);
    }
    return code;
}

static int put_inputs(struct ordo_json *document, const struct cores_machine *machine,
                      const struct cores_prediction *prediction, struct ordo_error *error)
{
    struct ordo_json object = ordo_json_object();
    int code = ORDO_OK;
    ordo_json_put_text(&object, "processor", machine->title);
    if (prediction->ratio)
        code = put_ratio(&object, prediction, error);
    else
        put_loops(&object, prediction);
    ordo_json_put_text(&object, "sources", prediction->inputs);
    ordo_json_put(document, "inputs", object);
    return code;
}

static int points_json(struct ordo_json *array, const struct cores_prediction *prediction, struct ordo_error *error)
{
    for (const int *cores = prediction->cores; *cores; cores++) {
        struct cores_predicted value;
        struct ordo_json point = ordo_json_object();
        struct ordo_error fault = {0};
        int code = cores_predict_point(prediction, *cores, &value, &fault);
        if (code) {
            ordo_json_drop(&point);
            return ordo_error_set(error, code, fault.sys_errno, "%s at %d cores: %s", prediction->name, *cores,
                                  fault.text);
        }
        ordo_json_put_int(&point, "cores", *cores);
        ordo_json_put_real(&point, "low", value.low);
        ordo_json_put_real(&point, "likely", value.likely);
        ordo_json_put_real(&point, "high", value.high);
        ordo_json_add(array, point);
    }
    return ORDO_OK;
}

int cores_predict(const struct cores_prediction *prediction, const char *commit, struct ordo_json *document,
                  struct ordo_error *error)
{
    struct cores_machine *machine;
    struct ordo_json points = ordo_json_array();
    int code = cores_machine_open(&machine, prediction->machine, 0, error);
    if (code) {
        ordo_json_drop(&points);
        return code;
    }
    *document = ordo_json_document("ordo-prediction/1");
    ordo_json_put_text(document, "machine", prediction->machine);
    ordo_json_put_text(document, "quantity", prediction->quantity);
    ordo_json_put_text(document, "unit", prediction->unit);
    code = points_json(&points, prediction, error);
    ordo_json_put(document, "points", points);
    ordo_json_put(document, "constants", constants_json(machine, prediction));
    code = code ? code : put_inputs(document, machine, prediction, error);
    ordo_json_put_text(document, "commit", commit);
    cores_machine_close(machine);
    if (code)
        ordo_json_drop(document);
    return code;
}

/* The form of a file NAME.json.
 *
 *     "matrix":   the source of the transfer times, one of
 *                 "file"       a CSV file of the same folder: line i has the times from CPU i to the CPUs below i
 *                 "rows_ns"    the same as arrays: [[], [51.5], ...]
 *                 "levels_ns"  no published matrix: [in a core, in a cluster, in a node]; farther is "far"
 *                 then "pick" takes ranges of its CPUs, [[first, last], ...], and "threads" makes each CPU a core
 *     "cpus":     the numbering of the CPUs, as the digits of a number with mixed radix, the fastest digit first:
 *                 [[{"each": "thread", "count": 2}, {"each": "core", "count": 8}, {"each": "node", "count": 2}]]
 *                 are pairs of threads, then 8 cores, then two nodes. Several such lists follow each other if the
 *                 machine has cores of two kinds; their clusters and nodes are the same.
 *     "packages": copies of all this: "board" of them at the distances "near_ns" (element (i ^ j) - 1 for the packages i
 *                 and j of one board), the others at the distance "far"
 *     "memory":   time of a load by nodes, of the same form
 *     "far":      between packages of different boards, and between the copies of an enlarged machine
 *     "sources":  where each constant is from: a key for each
 *
 * The published times are half the time of a ping-pong of compare-and-swap on one line, which takes three messages:
 * requester to home, home to holder, holder to requester, because a CPU that loses the line asks for it again at once.
 *
 * "transfer_percent" is the share of this time for which a request occupies a line, so that it delays the next request of a
 * queue. It is bounded by the protocol:
 *
 * - The message from requester to home always overlaps with earlier requests, because a queued request has already
 *   arrived.
 * - Low, 50 percent: a home that forwards a queued request at once, before the previous one is acknowledged. The holder
 *   gives the line away half of the time after the request (cache/cache.h), so no home is faster, unless cores of one
 *   socket pass the line on among themselves: then the share of the time between sockets is smaller.
 * - Likely, 85 percent: a home that serves one transaction after the other, and keeps the line until the requester has
 *   acknowledged the data (Arm's CHI: a home node until CompAck; AMD's probe filter). The requester uses the line for
 *   about a third of the time before the next request reaches it. On the machine `here`, two CPUs that add to one
 *   variable hold its line for about half of the time each.
 * - Likely, 65 percent: Intel's home in a socket needs no acknowledgement of a core. The next request leaves it right
 *   behind the data, so that the requester keeps the line for about one operation. Up to 70 percent.
 * - High, 110 percent: a home without a queue refuses the request, and the requester asks again. */
#ifndef ORDO_LAB_CORES_SHAPE_H
#define ORDO_LAB_CORES_SHAPE_H

#include "json/reader.h"

extern const struct ordo_json_shape cores_machine_shape;

#endif

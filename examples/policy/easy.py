#!/usr/bin/env python3
"""EASY backfilling (Lifka 1995): canvass lab run --policy exec:examples/policy/easy.py ..."""
import json
import sys

jobs, running = {}, {}  # jobs that have not ended; of those that run: cluster, start, expected end


def choose(left):
    """The cluster that would have the fewest nodes left over; less than 0 is no room."""
    return min((c for c in range(len(left)) if left[c] >= 0), key=lambda c: left[c], default=None)


def reserve(nodes, free):
    """When and where so many nodes will be free, and how many more are free then."""
    best = (float("inf"), None, 0)
    for c, n in enumerate(free):
        ends = sorted((end, jobs[j]["nodes"]) for j, (at, _, end) in running.items() if at == c)
        for i, (end, freed) in enumerate(ends):
            n += freed
            if n >= nodes and (i + 1 == len(ends) or ends[i + 1][0] > end):
                best = min(best, (end, c, n - nodes))
                break
    return best


def decide(now, queue, free):
    starts, hold = [], None  # hold is the reservation of the oldest job that must wait
    for j in queue:
        nodes, estimate = jobs[j]["nodes"], jobs[j]["estimate"]
        left = [f - nodes for f in free]
        long = hold and now + estimate > hold[0]
        if long and nodes > hold[2]:
            left[hold[1]] = -1  # it would delay that job
        c = choose(left)
        if c is not None:
            starts.append([j, c])
            running[j] = (c, now, now + estimate)
            free[c] -= nodes
            if long and c == hold[1]:
                hold = (hold[0], c, hold[2] - nodes)
        elif not hold:
            hold = reserve(nodes, free)
    return starts


sys.stdin.readline()  # the greeting
print('{"version":1}', flush=True)
for line in sys.stdin:
    request = json.loads(line)
    now = request["now"]
    jobs.update((job["job"], job) for job in request["submitted"])
    for j in request["ended"]:
        del running[j], jobs[j]
    for j, (c, start, end) in running.items():
        while end <= now:  # it runs longer than estimated: double the estimate
            end = start + 2 * (end - start)
        running[j] = (c, start, end)
    print(json.dumps({"start": decide(now, request["queue"], request["free"])}), flush=True)

#!/usr/bin/env python3
"""Check the tables of `canvass lab export` without Canvass.

    check.py ROWS.csv JOBS.csv [SETTING=VALUE METRIC]

Each job had exactly its nodes, no node had two jobs at once, and the measures of each row follow
from its jobs. With a setting and a metric, such as policy=easy mean_wait_seconds, prints for each
other value of the setting the mean difference over seeds and its 95 % interval. Needs nothing but
Python 3.8.
"""
import collections, csv, gzip, math, sys


def table(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="") as f:
        return list(csv.DictReader(f))


def nodes(text):
    """The nodes of "0-3 7"."""
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def check_schedule(row, jobs):
    on_node = collections.defaultdict(list)
    for j in jobs:
        if j["excluded"]:
            continue
        submit, start, end = (int(j[c + "_micros"]) for c in ("submit", "start", "end"))
        hosts = list(nodes(j["hosts"]))
        assert submit <= start <= end and end - start == int(j["run_micros"]), j
        assert len(set(hosts)) == len(hosts) == int(j["nodes"]), j
        assert all(0 <= h < int(row["platform_nodes"]) for h in hosts), j
        for h in hosts:
            if start < end:
                on_node[h].append((start, end))
    for node, intervals in on_node.items():
        intervals.sort()
        for (_, end), (start, _) in zip(intervals, intervals[1:]):
            assert end <= start, f"run {row['run']}: node {node} has two jobs at {start} µs"


def measures(jobs):
    """Each measure as {statistic_measure: value}, over the counted jobs."""
    found = {}
    counted = [j for j in jobs if j["counted"] == "true"]
    values = collections.defaultdict(list)
    for j in counted:
        submit, start, end, run = (int(j[c + "_micros"]) / 1e6 for c in ("submit", "start", "end", "run"))
        bounded, k = max(run, 10), int(j["nodes"])
        values["wait_seconds"].append(start - submit)
        values["response_seconds"].append(end - submit)
        values["bsld"].append(max(1, (end - submit) / bounded))
        values["sjackson"].append(1 + (start - submit) / bounded)
        values["bsld_per_processor"].append(max(1, (end - submit) / (k * bounded)))
    for name, xs in values.items():
        xs.sort()
        n, mean = len(xs), math.fsum(xs) / len(xs)
        found["mean_" + name], found["max_" + name] = mean, xs[-1]
        for label, p in (("median", 50), ("p90", 90), ("p95", 95), ("p99", 99)):
            found[f"{label}_{name}"] = xs[-(-p * n // 100) - 1]
        found["sd_" + name] = math.sqrt(math.fsum((x - mean) ** 2 for x in xs) / (n - 1)) if n > 1 else 0
    return found


def students_t(freedom):
    """The 0.975 quantile of Student's t distribution, by bisection of its integral."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def inside(x, steps=2000):  # Simpson, of the density after t = sqrt(freedom) tan u
        top = math.atan(x / math.sqrt(freedom))
        f = lambda i: math.cos(top * i / steps) ** (freedom - 1)
        total = f(0) + f(steps) + 4 * sum(map(f, range(1, steps, 2))) + 2 * sum(map(f, range(2, steps, 2)))
        return scale * math.sqrt(freedom) * top / steps / 3 * total

    low, high = 0, 1000
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 0.475 else (low, middle)
    return low


def paired(rows, setting, base, metric):
    """Differences from the base by seed, of rows that differ in the setting alone."""
    column, groups = "settings." + setting.replace("-", "_"), collections.defaultdict(dict)
    for r in rows:
        rest = tuple(v for c, v in r.items() if c.startswith("settings.") and c != column)
        groups[r["experiment"], rest, r["seed"]][r[column]] = float(r["summary." + metric])
    differences = collections.defaultdict(list)
    for (experiment, rest, _), by_value in groups.items():
        for value, x in by_value.items():
            if value != base and base in by_value:
                differences[experiment, rest, value].append(x - by_value[base])
    for (*_, value), ds in differences.items():
        n, mean = len(ds), math.fsum(ds) / len(ds)
        sd = math.sqrt(math.fsum((d - mean) ** 2 for d in ds) / (n - 1)) if n > 1 else math.inf
        half = students_t(n - 1) * sd / math.sqrt(n) if n > 1 else math.inf
        yield value, n, mean, mean - half, mean + half


def main(rows_path, jobs_path, against=None, metric=None):
    rows, by_run, numbers = table(rows_path), collections.defaultdict(list), 0
    for j in table(jobs_path):
        by_run[j["run"]].append(j)
    for row in rows:
        check_schedule(row, by_run[row["run"]])
        for name, want in measures(by_run[row["run"]]).items():
            got = float(row["summary." + name])
            assert abs(got - want) <= 1e-9 * max(1, abs(want)), f"run {row['run']}: {name} is {got}, not {want}"
            numbers += 1
    print(f"{len(rows)} runs: no node had two jobs at once; {numbers} measures follow from the jobs")
    if against:
        for value, n, mean, low, high in paired(rows, *against.split("=", 1), metric):
            print(f"{value}: {metric} differs by {mean:.9g} ({low:.9g} to {high:.9g}), {n} seeds")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])

# Runs a scheduler of pyss on a log. Prints the processor time, then "number,start" for each job.
# Arguments: the folder of pyss's sources for Python 3, the scheduler, the number of processors, the log.
import sys, time, types

folder, name, processors, log = sys.argv[1:]
sys.path.insert(0, folder)

# The simulator imports two schedulers that are not needed here.
for module, klass in (("easy_plus_plus", "EasyPlusPlusScheduler"), ("shrinking_easy", "ShrinkingEasyScheduler")):
    other = types.ModuleType(module + "_scheduler")
    setattr(other, klass, type(klass, (), {}))
    sys.modules[other.__name__] = other

from base import prototype
from base.workload_parser import parse_lines
from schedulers.simulator import Simulator

# Python 3 orders by __lt__, Python 2 ordered by __cmp__.
for klass in vars(prototype).values():
    if isinstance(klass, type) and "_cmp_tuple" in vars(klass):
        klass.__lt__ = lambda self, other: self._cmp_tuple < other._cmp_tuple

module, klass = {
    "fcfs": ("fcfs_scheduler", "FcfsScheduler"),
    "easy": ("easy_scheduler", "EasyBackfillScheduler"),
    "easy-sjbf": ("easy_sjbf_scheduler", "EasySJBFScheduler"),
    "conservative": ("conservative_scheduler", "ConservativeScheduler"),
}[name]
scheduler = getattr(__import__("schedulers." + module, fromlist=[klass]), klass)(int(processors))
with open(log) as lines:
    jobs = list(prototype._job_inputs_to_jobs(parse_lines(lines), int(processors)))
began = time.process_time()
simulator = Simulator(jobs, int(processors), scheduler)
simulator.run()
print("%.3f" % (time.process_time() - began))
for job in simulator.terminated_jobs:
    print("%d,%d" % (job.id, job.start_to_run_at_time))

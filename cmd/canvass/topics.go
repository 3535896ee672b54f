package main

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/jobs"
	"github.com/canvass-grid/canvass/cmd/canvass/lab"
	"github.com/canvass-grid/canvass/cmd/canvass/node"
)

// topics are the parts of help that belong to no single command.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "Meaning of the exit codes", Long: exitHelp},
		{Use: "json", Short: "The fields of the JSON output", Long: jsonHelp + jobs.JSONHelp + node.JSONHelp},
		{Use: "formulas", Short: "The language of canvass lab --metric", Long: lab.Formulas()},
		{Use: "selections", Short: "The steps of canvass lab --select", Long: lab.Selections()},
	}
}

const exitHelp = `Exit codes:
  0   success: every verdict is the expected one; a replayed trace proves what it
      claims
  1   failure: a file or folder is missing, damaged, not empty or not writable;
      an address is in use; no daemon answers; output could not be written; a
      core panicked; a trace no longer replays; a scheduling policy of your own
      failed
  2   usage error, on the command line or in a job file: an unknown command,
      flag, model, scenario or policy, a value out of range, flags that
      contradict each other
  6   refused by a daemon: it is full, is leaving, or the job is in another state
  7   no such job, output, node or event
  8   outputs are lost or damaged
  9   the job has ended already, or the node is dead
  10  an expected violation, or a witness, did not occur, or no state tests a
      property
  11  an unexpected deadlock
  12  an unexpected violation of a safety property (always, quiescent)
  13  an unexpected violation of a liveness property (leads to, reaches, almost
      surely)
  20  inconclusive: a limit or a signal ended the run before every property was
      decided; or replay --against cannot take the run to its end, or the other
      model lacks the property
  21  a swarm, random walks or a storage that omits states finished the search
      and found nothing, which proves nothing
  30  the events after --after have expired, or the daemon has restarted and
      its numbering is behind --after
  141 the reader of the output has gone, as in canvass models | head -1

A command line that would be wrong on every machine ends with 2; a command that
could succeed elsewhere or later ends with 1. An error in the content of a file
is 1: a checkpoint or a report that was made with other flags, or a shard that
is in two files.

If several codes apply, 141 takes precedence, then 1, 12, 11, 13, 10, 20 and 21,
in this order. With --expect, canvass lab run and verify end with 10 if a
claim deviates from the published value, and with 20 if one is undetermined.

A standard output that the shell has closed, as with >&-, counts as /dev/null.

Commands that run jobs end with the code of the job: see "canvass run --help".

canvass node agent ends with:
  0   it has left the grid, or a signal has ended it
  1   failure: its configuration or port cannot be used
  2   usage error
  3   fenced: it could not renew its lease, or an operator or the witnesses have
      closed the grid; start it again
  4   its folder is in use by another daemon, or its disk is full, fails, or has
      damaged data or data of another version; a file is where a folder belongs,
      or the reverse, or its user may not write there
  5   its key or certificate cannot be used, or the folder is a copy or holds
      the data of another node
While its disk is nearly full a daemon keeps running, and refuses jobs with 6.
`

const jsonHelp = `With --json a command writes one JSON object a line, and nothing else, to standard output.
Each object has "schema": 2. Fields may be added under the same number; a field that is renamed,
removed or given another meaning changes the number.

canvass check, and canvass merge: one object for each model
  schema             2
  model              name of the model
  expected           "holds", or "violated: P1, P2": the properties that are expected to be violated
  verdict            holds, violated or inconclusive
  as_expected        whether every verdict is the expected one, and nothing failed
  property           a violated property, an unexpected one if there is any; "" if all hold
  trace              file of its counterexample; "" if not written
  properties         list of: name, shape, verdict, expected (holds or violated), cases (how many states
                     put the property to the test), steps (of the counterexample, null if there is none),
                     trace (its file)
  nodes, bounds      how many nodes take part, and other bounds of the model
  faults             the fault budget: drop, duplicate, spurious, crash, restart, suspect, repeat,
                     adversarial, late
  states, transitions, depth, seconds, states_per_second, bytes_per_state
  order              search order, if it is not breadth-first
  storage            state storage, if it is not exact
  shards             which shards of a swarm the result has: of, present, missing, and how they were made,
                     with: flags, commit; other checks are shard 1 of 1
  collision_bound    with such a storage, a bound on the odds that a state was missed
  audited_states     number of states in which the model's functions were called again and compared, if not
                     in all: the first 256 and one in 256 others
  reductions         list of the reductions in use
  coverage           actions (transitions by kind), events (names and details of all events),
                     unreached (actions and events of the model that never occurred)
  stopped            none, interrupted, timeout, memory, states, depth, omission, sampling, violation,
                     "not run" or error
  limit              the limit that ended the check, as a flag
  resume             the command that resumes the search from its checkpoint
  error              why the check failed

canvass simulate, and canvass merge: one object for each scenario
  schema, as_expected, expected, seconds, error   as above
  scenario           name of the scenario
  verdict            holds (on the seeds that were run), violated or inconclusive
  first_seed, seeds  the first seed, and how many were run
  seeds_requested    how many were requested (0: no limit)
  reruns             seeds that were run twice
  nondeterministic   seeds whose second run differed from the first
  undecided          seeds without a verdict when time was up
  violations         list of: property, expected (holds or violated), reason (of that expectation),
                     seeds (number of seeds that violate it), seed (whose run was shrunk), where (text of the
                     observation), command (repeats the run), trace (file), steps (number of steps in the
                     trace), original_plan (file), history (file with the page of the history that was
                     checked), plan (the shrunk one), error
  counts             events by kind
  messages           messages delivered
  dropped, duplicated, delayed, cut   messages that suffered a fault; cut: lost to a partition
  crashes, restarts  nodes that crashed, and that restarted
  simulated_seconds  virtual time
  messages_per_second
  shards             which shares of the seeds the result has: of, present, missing, and how they were
                     run with: flags, commit; without --shard it is shard 1 of 1

canvass simulate --list
  schema, scenario, expected, doc

canvass models
  schema, name, doc, nodes, bounds, faults, expected, deep (too large for the default run)
  expectations       list of: property, violated, reason

canvass replay
  schema, file, model, property, shape, verdict
  reproduced         whether the run still proves the claim of the trace; with --against, on the other model
  error              why not
  against            model, taken (number of actions taken), actions (number of all actions), similar
                     (number taken with other details), differs (where the states differ), blocked (why
                     the run ends early), violated, has_property (whether the other model has the
                     property)
  loop               index of the state to which the last one returns; null for a finite run
  steps              list of: kind, node, peer, text, cost, changed (variables), effects

Former names, which are still written in this release: asked (seeds_requested), unrepeatable
(nondeterministic), knows_property (has_property), never (unreached), why (reason), found
(original_plan), here (present), alike (similar).

canvass version
  schema, version, commit, modified, go`

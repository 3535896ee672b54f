package jobs

// JSONHelp describes the JSON of the commands of this package.
const JSONHelp = `

Commands that ask a daemon: each object has "version" (2 for a job, 1 for others) instead of "schema". Times are
RFC 3339, durations are nanoseconds in fields that end with _ns, and nodes are names: A, C.2, n31.

canvass run, submit, wait, status, cancel, hold, release, rm, node accept-loss: a job (canvass run
writes it after the output of its tasks, which has the form of canvass logs)
  version, id, key   key: of the submission
  user               user of the process that submitted it, as the daemon's socket reports it
  times              accepted, started (its first attempt), ended; noted: the latest report of an end
  state              accepted, queued, held, running, succeeded, failed, cancelled, timed-out, unplaced
  spec               the submission: name, command, tasks, env, timeout_ns, deadline_ns, retries
                     (on_exit, codes, backoff_min_ns, backoff_max_ns), restart_limit, kill (signal,
                     grace_ns), stdout_limit (bytes), hold, stdin (its digest), inputs, outputs (patterns),
                     array (ranges of first and last, at_once), index (of an element)
  changes            list of: at, state, reason
  attempts           list of: by and epoch (its name, as in C-7), representative, hosts (by rank), begin,
                     end, reason (why it ended), statuses and ranks (by rank)
    statuses         code, signal, halted (ended by the grid), unfit (it could not start), lost (its
                     host has lost it), unkept (it ended with 0, but its outputs could not be kept),
                     error (why)
    ranks            isolation, begin, end, stderr (the last lines, if it failed), outputs, problem (why
                     outputs are missing), unkept (the first of them: path, why), unkept_more (number of
                     others), remarks (such as patterns that match no file), lacking (custodians
                     without room for all outputs), lost (the node with which its end was lost), oom (it
                     was killed because the kernel's OOM killer ended a process of its cgroup)
    inputs, outputs  path, sha256, size (bytes), mode (a number), link (target of a symbolic link)
  wish, why          the state in which the job should end, and the reason
  held               no attempt may begin until it is released
  parent, index      of an element of an array
  counts             of an array: its elements by state
  failed_code        of an array: the exit code of the first element that failed
  failed_elements    of an array: the indexes of all elements that ended without success
  owner              the node that owns it
  tries              submissions to the grid
  custodians         the daemons that store it; the first one accepted it
  dead               custodians that are dead; left: custodians that have left the grid
  custody            its name among them: by (an incarnation), number
  stamp              version of this copy: view, number
  acked              the custodians have accepted it
  asked              an attempt that waits for its permit
  result             of an array whose elements have ended, until its custodians have accepted it
  note               the last message of the grid
  no_lease           why the daemon that was asked runs nothing, if the job has not ended

canvass status without an id: one job a line, then, if daemons have not answered:
  version, unreachable (names of these daemons; also under the former name silent)

canvass ls
  version, path, sha256, size, mode, link

canvass get
  version, sha256, size

canvass logs
  version, job, attempt (from 1), rank, stream (stdout or stderr), text

canvass logs, of an array: one object for each element with output
  version, job (of an element), index, state, code, reason, attempt, hosts, stdout_bytes, stderr_bytes
  unreachable_host   a host that does not answer; also under the former name mute

canvass why
  version, job, reasons
  missing            daemons that store its record and do not answer, if it waits for them
  no_lease           the daemon that was asked runs nothing

canvass events
  version, cursor, at, node, kind (job, peer, muster or custody), job, text
`

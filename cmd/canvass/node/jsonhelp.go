package node

// JSONHelp describes the JSON of the commands of this package.
const JSONHelp = `
canvass node token create: version, token (a secret), expiry, uses
canvass node init, join: version, node, name (of its key), grid, data (its folder), endpoint, witness
canvass dev: once it is ready: version, socket, daemons (a list of node, endpoint, data, socket, log)

canvass node status: one object for each daemon, or for the one that is named
  version, node, name (of its key), endpoint, build, uptime_ns
  phase              of its membership: outside, drawing, joining, member, leaving, departed
  zone, cluster      its part of the map, and the members of its cluster
  share              of the map that is its zone, 0 to 1
  queue, running     how many tasks it holds, and the attempt whose task it runs
  cpus, memory_gib (0: not known), isolation (pid-namespace, cgroup or subreaper)
  exposed            what tasks could reach of the daemon or the machine, in sentences
  witness            it is one
  witnesses          all those of the grid, in their first lives
  known              how many nodes of the grid it knows, itself among them
  lease_left_ns      of its lease; 0: no lease, and no tasks
  no_lease           why there is no lease
  border_open        part of its zone boundary has no live neighbour
  gone               dead neighbours on the map whose zones it misses
  bereaved_ns        since it heard last that a node has died
  draining           it leaves when nothing runs on it
  no_tasks           why it takes no tasks, though it is in the grid
  awaits             while it leaves: jobs whose end it awaits first
  doing              its task: job, attempt, stage (copies, ready, runs, ends, outputs, over), inputs_bytes (of its
                     inputs), copied (of these, bytes that have arrived), laid (that are in its folder),
                     outputs_bytes (that custodians copy once its process has ended)
  certificate        its own: ends, left_ns (until then by its clock; negative: it has ended), warning (a sentence if
                     it is not renewed in time, or its clock is wrong)
  error              why it said nothing
`

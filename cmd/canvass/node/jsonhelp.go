package node

// JSONHelp describes the JSON of the commands of this package.
const JSONHelp = `
canvass node token create
  version, token (a secret), expiry, uses

canvass node init, join
  version, node, name (of its key), grid, data (its folder), endpoint, witness

canvass dev, once it is ready
  version, socket, daemons (a list of node, endpoint, data, socket, log)

canvass node status: one object for each daemon, or for the named one
  version, node, name (of its key), endpoint, build, uptime_ns
  phase              of its membership: outside, drawing, joining, member, leaving, departed
  zone, cluster      its part of the map, and the members of its cluster
  share              its zone as a fraction of the map, 0 to 1
  queue, running     number of its tasks, and the attempt whose task it runs
  cpus, memory_gib (0: not known), isolation (pid-namespace, cgroup or subreaper)
  exposed            parts of the daemon or the machine that tasks could reach, in sentences
  witness            it is a witness
  witnesses          all witnesses of the grid, named by their first incarnations
  known_nodes        number of nodes that it has listed, including itself
  lease_left_ns      time until its lease ends; 0: no lease, and no tasks
  no_lease           why there is no lease
  border_open        part of its zone boundary has no live neighbour
  dead_neighbours    dead neighbours on the map whose zones have no owner yet
  since_last_death_ns
                     time since it was last notified of the death of a node
  draining           it leaves the grid once it runs nothing
  no_tasks           why it takes no tasks although it is a member
  open_jobs          while it drains: number of jobs that must end first
  task               its task: job, attempt, stage (copies, ready, runs, ends, outputs, over), inputs_bytes (of its
                     inputs), copied (bytes of them that have arrived), placed (bytes that are in its folder),
                     outputs_bytes (of the outputs that custodians copy after its process has ended)
  certificate        ends, left_ns (until then, by the clock of the daemon; negative: it has expired), warning (a
                     sentence, if it was not renewed in time or the clock is wrong)
  error              why it did not answer

Former names, which are still written in this release: gone (dead_neighbours), bereaved_ns
(since_last_death_ns), awaits (open_jobs), doing (task), laid (placed), known (known_nodes).
`

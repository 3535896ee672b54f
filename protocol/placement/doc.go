// Package placement submits the jobs of a node to the grid: it decides when each job is submitted,
// under which ticket, and what follows from a report on a submission. Each incarnation of a node
// has one instance, for all jobs that the node decides about. It sends no messages and persists
// nothing. Which try of a job may run is for package custody, and finding an owner for package
// peer.
//
//	step.go   the commands, one function each
//	state.go  a job and its phases; the order of the line
//	jobs.go   the list of jobs, which states share as far as they agree
//	timer.go  pauses, patience, questions to owners
//
// A job goes through these phases:
//
//  1. Waiting: it is in line for a turn. A node has a limited number of turns, since each job that
//     waits in the grid costs messages.
//  2. Placed: it has a turn and was submitted with a new ticket. The grid looks for an owner, or
//     has found one.
//  3. Running: an attempt of it has the permit of the custodians. Its turn goes to the next job.
//  4. Resting: it pauses after a search in vain or before its next try. It has no turn.
//  5. Stopped: it is held, cancelled or over.
//
// docs/protocols/placement.md has the diagram, and says how package daemon/node drives the core.
//
// # Usage
//
//  1. Make a state with [New] when an incarnation of the node begins.
//  2. Give CommandWants when the custodians want a try to be submitted here: upon EventSubmit of
//     package custody, and when a job is released. Give CommandPermitted, CommandStop and
//     CommandDrop as their comments say, and CommandTurns when the size of the grid changes.
//  3. Upon EventSubmit submit the job of [State.Of] to the grid. Give CommandOwned, CommandLost and
//     CommandEnded when the grid reports on a ticket of this incarnation. Each report may come
//     late, twice or never.
//  4. Upon EventRevoke ask the owner to cancel the submission until it answers or is dead. Upon
//     EventAsk ask it whether it has the submission, and give CommandLost if not. EventOwned,
//     EventWait and EventRest are for users.
//  5. Give CommandDead when a node has died. All of these commands may be repeated.
//  6. Obey the timers. The address of a timer's peer is the number of a job.
//
// # Guarantees
//
// The models of package model/placement check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - InHands: a job that waits for an attempt is in line, in the grid or pausing, with the timer
//     that ends that.
//   - OneSubmission: of a job's submissions whose owners are known, all but the latest are revoked.
//   - TurnsUsed: no turn is free while a job waits for one, and no job that pauses has a turn.
//   - TurnsFair: after a search in vain a job gets its next turn after all jobs that are in line
//     when it returns.
//   - TimersKept, ListsKept, TicketsOnce: each step sets the timers that the state demands, with
//     pauses that double up to their limit; keeps jobs sorted; and uses each ticket once.
//
// When the system is quiescent, AllEnd: all jobs have ended, and the grid has no submission. In the
// end HandedOn, TurnComes, RestEnds and Runs: a job is handed on after a death, gets its turn,
// pauses no longer, and gets the permit if nodes can hold it.
//
// # Assumptions
//
//   - Owners answer EventAsk, or their deaths are observed. Otherwise a job waits forever: model
//     placement/limit-mute.
//   - A ticket names the incarnation of the node that gave it. Otherwise a report could be taken
//     for one about a submission of a later incarnation. No model covers that.
//   - The custodians permit one attempt of a job at a time (package custody). This core may have
//     two submissions of a job in the grid as long as the owner of one is not known.
//   - Fewer jobs than Config.JobLimit. The driver keeps the others until there is room.
package placement

// Package rpc implements the calls between daemons: requests that are repeated until they are
// answered, beside the messages of the cores. It defines calls and delivers them; their handlers
// are in package node.
//
//	table.go     all calls, each with its name, its request and its response
//	method.go    typed calls: making and answering them
//	codec.go     decoding and checking data from other daemons
//	exchange.go  the calls of one daemon: repeating, redirecting, answering later
//	target.go    the daemon to ask, and for how long
//	waiting.go   requests that wait for a decision
//	attempts.go  requests and responses about attempts and submissions
//	records.go   requests and responses about the records of jobs
//	contents.go  requests and responses about files
//	grid.go      requests and responses about nodes and the grid
//
// Two builds may call each other, so names in JSON are added, never renamed: why (a reason) and
// life (an incarnation) stay, although others would be clearer.
//
// # Usage
//
//  1. Make an [Exchange] with its view of the daemon ([Surroundings]).
//  2. Register a handler for each call of the table with [Method.Answer]. [Exchange.Unanswered]
//     lists the calls without a handler.
//  3. Pass the frames of calls to [Exchange.Receive].
//  4. Ask with [Method.Ask]: the types of the request and of the response are those of the table.
//
// # Guarantees
//
//   - Typed: requests and responses have the types of the table. A body that does not pass the
//     check of its type is [ErrUnreadable] and reaches no handler.
//   - Once: the function that waits for a response runs at most once.
//   - Bounded: at most [Limit] questions wait for an answer. However many wait, repetitions are
//     spaced by a fixed pace. At most 256 questions wait for one decision, and 64 handlers read
//     files at a time.
//   - Durable: a response leaves once all changes of records are on the disk.
//
// # Assumptions
//
//   - One goroutine owns an exchange. Only [Method.AnswerBeside] leaves it.
//   - Handlers are idempotent: a request is repeated until it is answered.
package rpc

// Package rpc implements the calls between daemons: questions that are repeated until they are
// answered, beside the messages of the cores.
//
//	table.go     all calls, each with its name, its request and its response
//	method.go    what a call is, and how it is made and answered
//	codec.go     reading what other daemons send
//	exchange.go  the calls of one daemon: repeating, redirecting, answering later
//	attempts.go  requests and responses about attempts and submissions
//	records.go   the same about the records of jobs
//	contents.go  the same about files
//	grid.go      the same about nodes and the grid
//
// # Usage
//
//  1. Make an [Exchange] with what it needs of its daemon ([Surroundings]).
//  2. Register a handler for each call of the table with [Method.Answer]. [Exchange.Unanswered]
//     lists those that have none.
//  3. Pass the frames of calls to [Exchange.Receive].
//  4. Ask with [Method.Ask]: the types of the request and of the response are those of the table.
//
// # Guarantees
//
//   - Typed: no caller sends a request, and no handler returns a response, that the table does not
//     name. A body that does not pass the check of its type is [ErrUnreadable] and reaches no
//     handler.
//   - Once: the function that waits for a response runs at most once.
//   - Bounded: at most [Limit] questions wait for an answer. However many wait, repetitions are
//     spaced by a fixed pace. At most 256 questions wait for one decision, and 64 handlers read
//     files at a time.
//   - Durable: a response leaves once all changes of records are on the disk.
//
// # Assumptions
//
//   - One goroutine owns an exchange. Only [Method.AnswerBeside] leaves it.
//   - A handler does the same when a request is repeated: requests are, until they are answered.
package rpc

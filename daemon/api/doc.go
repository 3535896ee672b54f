// Package api is the interface of a daemon for users: HTTP/1.1 and JSON over a Unix socket.
//
//	POST /v1/jobs                hands a job in: a [Submission]; the answer is its record
//	GET  /v1/jobs                lists the records
//	GET  /v1/jobs/ID             a record; with ?wait=SECONDS, when it has ended or the time is over
//	POST /v1/jobs/ID/cancel      ends a job; the answer comes when nothing of it can run any more
//	POST /v1/jobs/ID/hold        keeps a job that waits from running, until /release
//	POST /v1/jobs/ID/remove      forgets a job that has ended
//	POST /v1/jobs/ID/accept-loss the operator's word: the disk of ?lost=NODE, which keeps it, is gone
//	GET  /v1/jobs/ID/elements    the records of the elements of an array that have had their turn
//	GET  /v1/jobs/ID/output      a part of the output of a rank, as it is: see [Output]
//	GET  /v1/jobs/ID/why         why a job waits, in sentences
//	POST /v1/blobs               keeps the body, an input of jobs: a [Content]
//	GET  /v1/blobs/SHA256        a content: an input, or an output of a job
//	GET  /v1/nodes               what each daemon says of itself
//	GET  /v1/node                what this one says
//	GET  /v1/nodes/NODE          what another one says
//	GET  /v1/events              events after a cursor, as lines; with ?follow=1 without end
//	GET  /v1/nodes/NODE/events   those of another daemon after a cursor, as a list
//	POST /v1/drain               the daemon leaves the grid and ends; ?limit=TIME: not later
//	GET  /v1/health              whether the daemon can do its part: a [Health]
//	GET  /livez, /readyz         the same, with status 503 if its loop hangs, or it cannot run jobs
//	GET  /metrics                numbers of the daemon, in the text format of Prometheus
//	GET  /debug/pprof/…          where its time and memory go, for go tool pprof
//	POST /v1/tokens              makes a [Token] with which nodes join, from a [TokenQuery]
//
// An error has a status of HTTP and a body {"error": TEXT, "kind": WORD}.
//
// # Usage
//
// A daemon passes itself as a [Grid] to [Handler]. A command makes a [Client] for a socket.
//
// # Guarantees
//
//   - Typed: errors.Is works on the errors of a Client as on those of the Grid: jobs.ErrUnknown,
//     jobs.ErrAmbiguous, jobs.ErrOutOfReach, jobs.ErrSpec, jobs.ErrOver, jobs.ErrRuns,
//     jobs.ErrKept, jobs.ErrBusy, and those of package blobs.
//   - Bounded: a request has at most BodyLimit bytes, a content jobs.FileLimit.
//
// # Assumptions
//
//   - A process that can open the socket may do everything. The socket's folder has mode 0700.
package api

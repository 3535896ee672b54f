// Package drivetest supports the tests of protocol cores: a [Suite] of checks that every core must
// pass, a deterministic network in memory, scripts that run in it, and a core that checks that its
// steps are pure. The nodes run on package drive.
//
// # Usage
//
// A core needs one call of [Suite.Test], and generators of its states, messages and commands. The
// suite checks canonical encodings and texts, pure steps and the outputs of any input; its three
// targets fuzz the decoders.
//
// A test makes a [Network] with [New], adds processes, and causes events: Start, Crash, Command,
// Deliver, Hand, Lose, Fire, Measure. Nothing happens by itself. Drain and Settle make all possible
// events happen. The test checks its properties in OnStep and OnEvent, and reports with Violated.
//
// [RunScripts] runs the files testdata/*.txt of a protocol, one behaviour a file. The format is
// that of github.com/cockroachdb/datadriven: a line of commands, then ----, then the output up to
// an empty line. Lines that begin with # are comments. A line holds several commands with ", "
// between them; a command without a name repeats the last one with other arguments. The commands
// that all protocols have are
//
//	deliver B<-A [Propose [last]]  the oldest message from A to B [of this type [or the newest]]
//	deliver all                    all messages and measurements, and those that follow, oldest first
//	repeat B<-A [Propose]          a copy of that message is delivered
//	lose B<-A [Propose]            that message is dropped
//	copy x B<-A [Propose]          a copy of that message gets a name; late x delivers it
//	timeout B missed A             a pending timer fires
//	measured B C                   B's measurement of C ends
//	draw 5                         the answer to the next Choose
//	crash C                        the life of a process ends
//	restart C                      a process begins a later life
//	state A                        shows a node
//	inflight                       shows the messages in flight
//
// The test of a protocol adds its own commands. To write the present output into the scripts:
//
//	go test ./protocol/can -run TestScripts -rewrite
//
// Read the differences before you commit them.
//
// # Guarantees
//
//   - Deterministic: equal calls give equal networks and equal logs.
//   - Contract: nodes are driven as package drive promises. In particular, a message reaches only
//     the incarnation that it is addressed to, and a later incarnation starts in the state that the
//     process was made with.
//   - FirstViolation: the first violated property is kept in Broken until a script reports it.
//
// # Assumptions
//
//   - A test takes its messages from InFlight, or hands over copies of messages that were there.
//     A network that invents messages tests more than protocols promise to withstand.
//   - Only tests import this package (package internal/lint checks that). It is not pure.
package drivetest

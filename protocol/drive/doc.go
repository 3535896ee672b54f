// Package drive implements the loop around a protocol core: the duties of a driver, as package
// protocol lists them, as code. The tests of the cores run on it, and a daemon can.
//
// # Usage
//
// A [Node] holds one core with its state. The environment (a test network, a daemon) implements
// [Effects], makes a Node with [New], and calls one method for each input:
//
//	Start     begins a life, the first one or, with the bytes of the last one, a later one
//	Deliver   hands over an envelope
//	Fire      lets a pending timer go off
//	Measured  ends a measurement
//	Command   passes on what the application asks for
//	Stop      ends the life, as a crash does
//
// A method returns when the output of the step has been obeyed. It reports whether the input
// reached the core. An input that did not is dropped: it was for another incarnation, or came too
// late.
//
// For each output, a Node calls the methods of Effects in this order. The numbers are those of the
// duties in package protocol.
//
//  1. Persist
//  2. Send           for each envelope
//  3. Cancel, Set    for each timer; all Cancels come first
//  4. Measure        for each node
//  5. Choose         at most once; the answer is the next input, after the events
//  6. Event          for each event
//
// # Guarantees
//
//   - Order: effects are called in the order above, and the effects of a step before those of the
//     next one.
//   - OneAtATime: an input reaches the core only after the output of the last one was obeyed. A
//     call from within an effect panics.
//   - DurableFirst: if the incarnation ends while Persist runs, nothing of that step is sent.
//   - PendingOnly: a timer fires at most once each time that it is set, and not after it was
//     cancelled. When it fires it is pending no more, so that the step may set it again.
//   - AskedOnly: a measurement reaches the core at most once each time that it was asked for, and
//     only in the incarnation that asked for it.
//   - ChosenFirst: a question is answered before any other input, with a number below its bound.
//   - ThisIncarnation: an envelope reaches only the incarnation that it is addressed to.
//   - FreshLife: an incarnation starts with the state that the process was made with, the persisted
//     bytes, and nothing pending. Its state ends with it.
//
// # Assumptions
//
//   - Persist returns when the bytes are durable. If it returns earlier, a crash may take back what
//     other nodes were sent. If the bytes cannot be made durable, the environment calls Stop.
//   - The environment starts a timer afresh when a pending one is set, and forgets what is left of
//     the former one. Otherwise the timer fires early: a premature timeout.
//   - One goroutine at a time calls the methods of a Node. Otherwise inputs overlap.
//   - An environment may delay effects (to write the bytes of several steps at once, for instance)
//     if it keeps their order. Otherwise a message may leave before its bytes are durable.
package drive

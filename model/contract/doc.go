// Package contract checks each step of a node against rules, in any environment of the node: its
// timers, its events, its messages.
//
// A model wraps its core so that each step adds an event for each rule that it breaks. The monitor
// keeps these events as bits, and each rule is a property of all states: no step that led to a
// state has broken it. So states and encodings of the core stay as they are, and each distinct step
// is checked once.
//
// # Usage
//
//  1. Describe a step as a type T of the model: configuration, input, state before and after,
//     output. List the rules as values of [Rule].
//  2. Wrap the core with [Watch]. A core that is wrapped in any case appends what [Check]
//     returns to the output's events.
//  3. Let the monitor observe [Event], and set bit Number for each.
//  4. Add [Properties] to those of the system.
//
// [TimersBroken] and [EventsBroken] are the two rules whose bookkeeping is the same for all cores.
//
// # Guarantees
//
//   - Named: the event's Number is the index of the rule, and its Detail says how it is broken.
//   - Nothing is changed: a rule that changes the step which it is given ends the check, and a rule
//     that panics is named.
//   - Own conclusions: nothing here asks the core what a state demands. The model says it.
//
// # Assumptions
//
//   - No core has an event with the name of [Event].
//   - The rules are at most as many as the monitor has bits for.
package contract

// Package reading names the interpretations of a published algorithm.
//
// A text that is not code can be read in several ways. The name of a model of a published algorithm
// says after an @ in which way: any combination of the core's readings, and fifo for links that
// keep the order of their messages. "published/can/row4/leave-leave@clears+fifo" is an example; a
// name without an @ takes none of them, on links that keep no order.
//
// # Usage
//
// A package of models lists the readings of its core, makes names with [Suffix], and takes the
// ending of a name apart with [Parse]. [Every] lists all endings.
//
// # Guarantees
//
//   - OneName: a combination has one name. Parse accepts its parts in any order.
//   - Refusal: the error about an unknown ending is one line that lists the known ones.
//
// # Assumptions
//
//   - The String of a reading joins the names of its parts with +, and is "letter" without parts.
//   - A combination that is not in the list does not exist: its parts exclude each other.
package reading

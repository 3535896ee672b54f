// Package philosophers implements Dijkstra's table, where a philosopher eats with two forks and
// shares each with a neighbour, under three rules. They show problems that a checker of invariants
// alone would miss: a deadlock, and starvation without a deadlock.
//
// # Usage
//
// [New] returns the model for package checker, as the example shows.
//
// # Guarantees
//
//   - Exclusion: no two neighbours eat, under any rule.
//   - Eats: a hungry philosopher eats in the end. Under Ordered it may starve: a fork that a
//     neighbour takes again and again is not always on the table, so weak fairness guarantees
//     nothing. Under Courteous a fork is dirty after its holder has eaten. The holder cleans a
//     dirty fork and hands it to a hungry neighbour. It keeps a clean fork until it has eaten.
//
// The rules differ in their guarantees:
//
//	rule      | forks are taken                                     | deadlock | Eats
//	LeftFirst | the left one first                                  | possible | violated
//	Ordered   | in the order of their numbers: the last philosopher | none     | violated
//	          | takes the right one first                           |          |
//	Courteous | from a neighbour, on demand (Chandy and Misra, The  | none     | holds
//	          | Drinking Philosophers Problem, 1984)                |          |
//
// # Assumptions
//
//   - No philosopher has to become hungry. All other actions are weakly fair: the actions of each
//     philosopher are classes of their own.
package philosophers

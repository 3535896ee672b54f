// Package philosophers is Dijkstra's table at which one eats with two forks and shares each with a
// neighbour, under three rules. The rules show what a checker of invariants alone would not: a
// deadlock, and starvation without one.
//
//   - LeftFirst: all take the left fork, then the right one. When all have their left fork, nobody
//     moves any more. The model deadlocks.
//   - Ordered: the last philosopher takes the right fork first, so forks are taken in the order of
//     their numbers. Nothing deadlocks, and yet who is hungry may starve: a fork that comes and
//     goes is not on the table all the time, and weak fairness promises nothing to who waits for
//     it.
//   - Courteous: forks pass from hand to hand (Chandy and Misra, The Drinking Philosophers Problem,
//     1984). A fork that was used for eating is dirty and is cleaned and handed over to a neighbour
//     who is hungry; a clean one is kept until its holder has eaten. All who are hungry eat.
//
// Nobody has to become hungry. All else that stays possible happens in the end: the actions of each
// philosopher are classes of their own, marked fair.
package philosophers

// Package founders computes the CAN that arises when nodes join one after the other without faults
// (Jackson 2015, section 2.1): zones, views and timers, without a message.
//
// It is the beginning of simulations, and the static map of experiments. The tests of package
// sim/can compare it with the maps that the core reaches by messages.
//
// # Usage
//
//  1. Call [New] with the configuration of the network, the number of nodes, and a function that
//     draws the coordinate of each.
//  2. Give each node the state, the timers and the persisted bytes of its [Founder].
//
// [Records] makes the map alone, for experiments that exchange no messages. [Index] finds zones by
// position, in maps of any size.
//
// # Guarantees
//
//   - Same: states, timers and persisted bytes are those of the core after the same joins, but for
//     epochs, which are 0, the oldest value.
//   - Pure: the result depends on the arguments only.
//
// # Assumptions
//
//   - The function that draws coordinates returns another one when it is asked again for the same
//     node. New calls it until a coordinate is free, and does not return if none ever is.
package founders

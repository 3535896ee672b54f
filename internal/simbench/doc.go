// Simbench measures the simulator: how many messages a second of processor time it delivers in a
// CAN at rest, where nodes tell their neighbours once a second that all is as it was, and how much
// memory a node takes.
//
//	go run ./internal/simbench              a table for 1,000, 10,000 and 100,000 nodes, then one object a line
//	go run ./internal/simbench --json 5000  only the objects, for the sizes named
//
// Time is that of the processor, of the whole process, the garbage collector included: on a machine
// that others use, too, it is what can be compared. The nodes are members from the beginning, with
// neighbour tables as the core itself would have made them. Latencies are exponential with a mean
// of 50 ms. What is measured begins when every node has heard of each of its neighbours; the steps
// that are remembered (see package sim) are counted, and so are those that are made.
package main

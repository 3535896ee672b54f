// Simbench measures the simulator: how many messages it delivers in a second of processor time in a
// quiescent CAN, whose nodes send an update to their neighbours once a second, and how much memory
// a node takes.
//
//	go run ./internal/simbench              a table for 1,000 to 100,000 nodes, then JSON objects
//	go run ./internal/simbench --json 5000  only the objects, for the given sizes
//
// It counts the processor time of the whole process, with the garbage collector, because that can
// be compared even on a shared machine. The nodes are members from the beginning, with the
// neighbour tables that the core would have made. Latencies are exponential with a mean of 50 ms.
// The measurement begins when every node has received from each of its neighbours. It counts steps
// that are taken from the cache (see package sim) and steps that are executed.
package main

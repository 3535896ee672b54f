// Command peers compares this engine with SPIN on the same models: the examples, and their Promela
// twins in spec/examples.
//
//	peers crosscheck           numbers and verdicts, one line a check; exit code 1 on a difference
//	peers bench [MODEL SIZE]…  rates, a table and then JSON, one object a model
//	peers run MODEL SIZE N     one check of ours with N workers, in a separate process as in bench
//
// A Promela model may need steps of its own to start up. Each such step adds a state, and the check
// of it says so: what must be equal is SPIN's number less these. SPIN counts the initial state
// among the transitions.
package main

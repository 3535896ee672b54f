// Package hashfn has the hash functions of the engine.
//
// They decide only where things lie, never what is equal and never an order that anyone can see.
// They multiply 64 by 64 bits and fold the halves, a step that lets every bit of the input reach
// every bit of the result.
package hashfn

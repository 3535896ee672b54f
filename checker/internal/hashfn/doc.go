// Package hashfn has the hash functions of the engine.
//
// They decide only where entries lie in tables, never equality and never a visible order. They
// multiply 64 by 64 bits and fold the halves, so that every bit of the input affects every bit of
// the result.
package hashfn

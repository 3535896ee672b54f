// Package plain encodes values that have nothing behind a pointer: booleans, integers, strings, and
// arrays and structs of these.
//
// The encodings of two values of one type are equal if and only if the values are (==). A type that
// holds anything else is refused, with the part that is in the way: of slices, maps and functions
// there is no ==, pointers, channels and interfaces are equal without meaning the same or the other
// way round, and a NaN differs from itself.
package plain

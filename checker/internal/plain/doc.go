// Package plain encodes values that have nothing behind a pointer: booleans, integers, strings, and
// arrays and structs of these.
//
// The encodings of two values of one type are equal if and only if the values are (==). A type with
// any other part is refused, and the error names the part. Slices, maps and functions have no ==;
// pointers, channels and interfaces may be equal without having the same meaning, or have the same
// meaning without being equal; and a NaN differs from itself.
package plain

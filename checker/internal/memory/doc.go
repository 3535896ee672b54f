// Package memory provides a budget of bytes for the engine's tables, and large tables outside of
// the heap.
//
// A [Budget] counts the bytes of all tables against the limit of a check. [GrowSlots] and
// [FreeSlots] provide tables of 64-bit words; on Linux the large ones are mapped, so that the
// system can enlarge them without a copy.
package memory

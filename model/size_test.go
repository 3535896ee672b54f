package model

import (
	"testing"
	"unsafe"
)

// A place that grows beyond a line of the cache costs a miss for each node of each state.
func TestPlacesFillOneLine(t *testing.T) {
	if got := unsafe.Sizeof(place[int]{}); got != placeBytes {
		t.Errorf("a place takes %d bytes, not %d", got, placeBytes)
	}
	if got := unsafe.Sizeof(outcome{}); got != outcomeBytes {
		t.Errorf("an outcome takes %d bytes, not %d", got, outcomeBytes)
	}
}

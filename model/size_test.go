package model

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// A place that grows beyond half a line of the cache costs more misses for each node of each state.
func TestTwoPlacesFillOneLine(t *testing.T) {
	assert.EqualValues(t, 32, unsafe.Sizeof(place{}))
	assert.EqualValues(t, 16, unsafe.Sizeof(outcome{}))
}

// Tables are charged with the true size of their own outcomes.
func TestOwnOutcomesAreChargedWithTheirSize(t *testing.T) {
	assert.EqualValues(t, ownBytes, unsafe.Sizeof(ownOutcomes{}))
	assert.EqualValues(t, answerBytes, unsafe.Sizeof(answer{}))
}

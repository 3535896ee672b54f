package model

import (
	"math/bits"
	"unsafe"
)

// rows is a growing table of values with dense ids from 0. Row k has rowUnit<<k values, so no value
// ever moves, and its address stays valid.
//
// The owner makes rows under a lock before it publishes an id in them, so readers need no lock.
type rows[T any] struct{ row [rowCount][]T }

const (
	rowBits  = 8
	rowUnit  = 1 << rowBits
	rowCount = 32 - rowBits + 1
)

// rowOf locates an id: row k begins at rowUnit<<k - rowUnit.
func rowOf(id uint32) (row int, at uint64) {
	n := uint64(id) + rowUnit
	row = bits.Len64(n) - 1 - rowBits
	return row, n - rowUnit<<(row&63)
}

// at returns the value of an id.
func (r *rows[T]) at(id uint32) *T {
	row, at := rowOf(id)
	return &r.row[row][at]
}

// run returns the values of n consecutive ids, which must be in one row. Without values it reads no
// row: that of the id need not be made.
func (r *rows[T]) run(id uint32, n int) []T {
	if n == 0 {
		return nil
	}
	row, at := rowOf(id)
	return r.row[row][at : at+uint64(n) : at+uint64(n)]
}

// make allocates the row of an id if it has none, and returns the bytes that it allocated.
func (r *rows[T]) make(id uint32) int {
	row, _ := rowOf(id)
	if r.row[row] != nil {
		return 0
	}
	r.row[row] = make([]T, rowUnit<<row)
	var one T
	return len(r.row[row]) * int(unsafe.Sizeof(one))
}

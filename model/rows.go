package model

import (
	"math/bits"
	"unsafe"
)

// rows holds values by ids that are dense from 0. Row k has rowUnit<<k of them, so that none ever
// moves: who has the address of one may keep it.
//
// Rows are made under a lock of the owner, before an id in them is told to anybody; so readers need
// none.
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

// run returns the values of so many ids in a row, which must be in one row of the table.
func (r *rows[T]) run(id uint32, n int) []T {
	row, at := rowOf(id)
	return r.row[row][at : at+uint64(n) : at+uint64(n)]
}

// make sees to it that there is room for the value of an id, and returns the bytes that this took.
func (r *rows[T]) make(id uint32) int {
	row, _ := rowOf(id)
	if r.row[row] != nil {
		return 0
	}
	r.row[row] = make([]T, rowUnit<<row)
	var one T
	return len(r.row[row]) * int(unsafe.Sizeof(one))
}

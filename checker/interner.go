package checker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
)

// Interner gives every distinct byte string a small number, its id, and stores a value of type T
// with it. Usually the bytes are the canonical encoding of a component of the state and the value
// is the component itself, decoded.
//
// Ids are dense from 0, but which string gets which id depends on the order of the calls, hence,
// with several workers, on the run. Equal ids mean equal strings; no other use of their value is
// sound.
//
// All methods may be called concurrently. Finding a string and reading a value take no lock.
type Interner[T any] struct {
	shards [internerShards]internerShard
	// rows holds strings and values by id. Row k has rowUnit<<k of them, so that none ever moves.
	rows   [internerRows]atomic.Pointer[internerRow[T]]
	grow   sync.Mutex // held while a row is made
	next   atomic.Uint64
	memory atomic.Uint64
}

const (
	internerShards = 64
	rowUnit        = 1 << 8
	internerRows   = 32 - 8 + 1
	minArenaBytes  = 1 << 8
	maxArenaBytes  = 1 << 18
)

// internerRow has the values apart from the strings: most readers want values only, which then take
// less room in the caches.
type internerRow[T any] struct {
	keys   [][]byte
	values []T
}

// internerShard finds ids by the hash of their strings. Readers use the table without the lock;
// writers hold it. A slot is written once, after the entry that it refers to, so a reader that sees
// the slot sees the entry.
type internerShard struct {
	table atomic.Pointer[[]uint64] // fingerprint<<32 | id+1; accessed atomically
	lock  sync.Mutex
	used  int
	arena []byte
	_     [64]byte // keeps the locks of neighbours apart
}

// NewInterner returns an empty interner.
func NewInterner[T any]() *Interner[T] { return &Interner[T]{} }

// Lookup returns the id of the key, if it has one.
func (in *Interner[T]) Lookup(key []byte) (id uint32, ok bool) {
	h := hashfn.Bytes(key)
	return in.find(in.shards[h%internerShards].table.Load(), uint32(h>>32), key)
}

// Intern returns the id of the key. If the key is new, it is copied and stored with the value, and
// fresh is true. Otherwise the stored value stays and this one is dropped. If making the value is
// expensive, call Lookup first.
func (in *Interner[T]) Intern(key []byte, value T) (id uint32, fresh bool) {
	h := hashfn.Bytes(key)
	s := &in.shards[h%internerShards]
	if id, ok := in.find(s.table.Load(), uint32(h>>32), key); ok {
		return id, false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if id, ok := in.find(s.table.Load(), uint32(h>>32), key); ok {
		return id, false
	}
	n := in.next.Add(1) - 1
	if n >= math.MaxUint32 {
		panic("checker: an Interner is full: it has 2^32-1 strings")
	}
	id = uint32(n)
	r, at := in.row(id)
	r.keys[at], r.values[at] = in.keep(s, key), value
	in.insert(s, uint32(h>>32), id)
	return id, true
}

// Value returns the value of the id. The id must come from this interner.
func (in *Interner[T]) Value(id uint32) T {
	row, at := rowOf(id)
	return in.rows[row].Load().values[at]
}

// Bytes returns the string of the id. The id must come from this interner and the bytes must not be
// changed.
func (in *Interner[T]) Bytes(id uint32) []byte {
	row, at := rowOf(id)
	return in.rows[row].Load().keys[at]
}

// Len is the number of distinct strings.
func (in *Interner[T]) Len() int { return int(in.next.Load()) }

// Charge adds to MemoryBytes what a value holds beyond its own struct, which the interner cannot
// see.
func (in *Interner[T]) Charge(bytes int) { in.memory.Add(uint64(bytes)) }

// MemoryBytes is the size of the tables, of the strings and of charged memory.
func (in *Interner[T]) MemoryBytes() uint64 { return in.memory.Load() }

// find looks the key up in one version of a table.
func (in *Interner[T]) find(table *[]uint64, fingerprint uint32, key []byte) (uint32, bool) {
	if table == nil {
		return 0, false
	}
	slots := *table
	for at := hashfn.HomeSlot(fingerprint, len(slots)); ; at = (at + 1) & (len(slots) - 1) {
		slot := atomic.LoadUint64(&slots[at])
		if slot == 0 {
			return 0, false
		}
		id := uint32(slot) - 1
		if uint32(slot>>32) == fingerprint && bytes.Equal(in.Bytes(id), key) {
			return id, true
		}
	}
}

// insert publishes an entry. The lock of the shard is held.
func (in *Interner[T]) insert(s *internerShard, fingerprint, id uint32) {
	table := s.table.Load()
	if table == nil || 4*(s.used+1) > 3*len(*table) {
		table = in.enlarge(s, table)
	}
	place(*table, fingerprint, uint64(fingerprint)<<32|uint64(id+1))
	s.used++
}

// enlarge replaces the table of a shard by one of twice the size. Readers of the old one may miss
// keys that are added later; they find them under the lock.
func (in *Interner[T]) enlarge(s *internerShard, old *[]uint64) *[]uint64 {
	size := hashfn.MinTable
	if old != nil {
		size = 2 * len(*old)
		in.memory.Add(-uint64(8 * len(*old)))
	}
	in.memory.Add(uint64(8 * size))
	slots := make([]uint64, size)
	if old != nil {
		for _, slot := range *old {
			if slot != 0 {
				place(slots, uint32(slot>>32), slot)
			}
		}
	}
	s.table.Store(&slots)
	return &slots
}

// place puts a slot at the first free place from its home.
func place(slots []uint64, fingerprint uint32, slot uint64) {
	at := hashfn.HomeSlot(fingerprint, len(slots))
	for atomic.LoadUint64(&slots[at]) != 0 {
		at = (at + 1) & (len(slots) - 1)
	}
	atomic.StoreUint64(&slots[at], slot)
}

// keep copies a key into the arena of its shard, whose lock is held.
func (in *Interner[T]) keep(s *internerShard, key []byte) []byte {
	if len(key) > cap(s.arena)-len(s.arena) {
		size := max(len(key), min(max(2*cap(s.arena), minArenaBytes), maxArenaBytes))
		s.arena = make([]byte, 0, size)
		in.memory.Add(uint64(size))
	}
	from := len(s.arena)
	s.arena = append(s.arena, key...)
	return s.arena[from:len(s.arena):len(s.arena)]
}

// row returns the row of an id, allocated if necessary, and the index of the id in it.
func (in *Interner[T]) row(id uint32) (r *internerRow[T], at uint64) {
	row, at := rowOf(id)
	if r = in.rows[row].Load(); r == nil {
		in.grow.Lock()
		defer in.grow.Unlock()
		if r = in.rows[row].Load(); r == nil {
			n := rowUnit << row
			r = &internerRow[T]{keys: make([][]byte, n), values: make([]T, n)}
			in.memory.Add(uint64(n) * uint64(unsafe.Sizeof(r.keys[0])+unsafe.Sizeof(r.values[0])))
			in.rows[row].Store(r)
		}
	}
	return r, at
}

// rowOf locates an id: row k begins at rowUnit<<k - rowUnit.
func rowOf(id uint32) (row int, at uint64) {
	n := uint64(id) + rowUnit
	row = bits.Len64(n/rowUnit) - 1
	return row, n - rowUnit<<row
}

// Snapshot appends the strings of an interner to dst, in the order of their ids. No goroutine may
// add to the interner meanwhile.
func (in *Interner[T]) Snapshot(dst []byte) []byte {
	n := in.Len()
	dst = binary.AppendUvarint(dst, uint64(n))
	for id := range n {
		key := in.Bytes(uint32(id))
		dst = binary.AppendUvarint(dst, uint64(len(key)))
		dst = append(dst, key...)
	}
	return dst
}

// Restore gives the strings of a snapshot the ids that they had, with the values that decode makes
// of them, and returns what follows the snapshot. The interner must hold nothing, or a prefix of
// the snapshot.
func (in *Interner[T]) Restore(snapshot []byte, decode func(key []byte) (T, error)) (rest []byte, err error) {
	damaged := errors.New("checker: restore an interner: the snapshot ends early")
	count, n := binary.Uvarint(snapshot)
	if n <= 0 {
		return nil, damaged
	}
	snapshot = snapshot[n:]
	for id := range count {
		length, n := binary.Uvarint(snapshot)
		if n <= 0 || length > uint64(len(snapshot)-n) {
			return nil, damaged
		}
		key := snapshot[n : n+int(length)]
		snapshot = snapshot[n+int(length):]
		value, err := decode(key)
		if err != nil {
			return nil, fmt.Errorf("checker: restore entry %d of an interner: %w", id, err)
		}
		if got, _ := in.Intern(key, value); uint64(got) != id {
			return nil, fmt.Errorf("checker: restore entry %d of an interner: it is there already, with id %d; "+
				"restore into an empty one", id, got)
		}
	}
	return snapshot, nil
}

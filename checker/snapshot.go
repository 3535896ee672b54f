package checker

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Snapshot appends the strings of an interner to dst, in the order of their ids. Nobody may add to the
// interner meanwhile.
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

// Restore gives the strings of a snapshot the ids that they had, with the values that decode makes of them,
// and returns what follows the snapshot. The interner must hold nothing, or a beginning of the snapshot.
func (in *Interner[T]) Restore(snapshot []byte, decode func(key []byte) (T, error)) (rest []byte, err error) {
	damaged := errors.New("checker: the snapshot of an interner ends early")
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
			return nil, fmt.Errorf("checker: entry %d of an interner: %w", id, err)
		}
		if got, _ := in.Intern(key, value); uint64(got) != id {
			return nil, fmt.Errorf("checker: entry %d of an interner is there already, with id %d; restore into an empty one", id, got)
		}
	}
	return snapshot, nil
}

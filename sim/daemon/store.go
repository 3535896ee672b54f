package daemon

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/life"
)

// store is a disk: committed values survive the incarnations of its node.
type store struct {
	values map[string][]byte
	fails  bool // the next commit fails, and nothing of it is kept
}

var _ life.Store = &store{}

// errDisk is the error of a failed commit.
var errDisk = errors.New("input/output error")

func storeKey(bucket string, key []byte) string { return bucket + "\x00" + string(key) }

// Commit implements [life.Store].
func (s *store) Commit(puts ...disk.Put) error {
	if s.fails {
		s.fails = false
		return errDisk
	}
	for _, p := range puts {
		if p.Value == nil {
			delete(s.values, storeKey(p.Bucket, p.Key))
		} else {
			s.values[storeKey(p.Bucket, p.Key)] = bytes.Clone(p.Value)
		}
	}
	return nil
}

// Get implements [life.Store].
func (s *store) Get(bucket string, key []byte) ([]byte, error) {
	return bytes.Clone(s.values[storeKey(bucket, key)]), nil
}

// Each implements [life.Store].
func (s *store) Each(bucket string, prefix []byte, f func(key, value []byte) error) error {
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		of, key, _ := bytes.Cut([]byte(name), []byte{0})
		if string(of) != bucket || !bytes.HasPrefix(key, prefix) {
			continue
		}
		if err := f(key, s.values[name]); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [life.Store].
func (s *store) Close() error { return nil }

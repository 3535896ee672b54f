package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Schema is the number of the layout that this build writes and reads.
const Schema = 4

var (
	// ErrInUse says that another process has the folder open.
	ErrInUse = errors.New("the data folder is in use")

	// ErrSchema says that the file was written by a build with another layout.
	ErrSchema = errors.New("the data is of another schema")

	// ErrOwner says that the file belongs to another node.
	ErrOwner = errors.New("the store belongs to another node")
)

// The buckets.
const (
	Meta  = "meta"  // schema, and the name of the node
	Cores = "cores" // the persisted bytes of the cores
	Jobs  = "jobs"  // job records, by id

	Forgotten = "forgotten" // when jobs were forgotten, by core and by id
)

// Put is one key with its new value. A nil value deletes the key.
type Put struct {
	Bucket string
	Key    []byte
	Value  []byte
}

// Store is an open file.
type Store struct {
	db     *bbolt.DB
	broken atomic.Pointer[error] // why nothing can be read or written any more
}

// fileOf is the file of a folder.
func fileOf(folder string) string { return filepath.Join(folder, storeFile) }

// Open opens or makes the file in a folder.
func Open(folder string) (*Store, error) {
	file := fileOf(folder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, Failed("making", file, err)
	}
	if Low(folder) != nil { // the ballast is for this case: a daemon that starts now can forget and go on
		if _, err := Release(folder); err != nil {
			return nil, Failed("giving up the reserve beside", file, err)
		}
	}
	s := &Store{}
	_, err := guarded(new(bool), func() (err error) {
		s.db, err = bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
		return err
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: a daemon that runs has %s open; stop it, or choose another folder with --data",
			ErrInUse, file)
	}
	if err != nil {
		return nil, Failed("opening", file, err)
	}
	err = s.guarded(new(bool), func() error { return s.begin(folder) })
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, ErrSchema):
		return nil, errors.Join(fmt.Errorf("opening %s: %w", file, err), s.Close())
	}
	return nil, errors.Join(Failed("opening", file, err), s.Close())
}

// schemaKey is where the number of the schema is.
var schemaKey = []byte("schema")

// madeID is the transaction of a file that bbolt has made, and in which nothing was committed. A
// file that is empty later has lost its buckets.
const madeID = 1

// begin checks the file, or makes the buckets of a new one, and makes the file's name durable.
func (s *Store) begin(folder string) error {
	fresh := false
	err := s.db.View(func(tx *bbolt.Tx) error {
		if name, _ := tx.Cursor().First(); name == nil && tx.ID() <= madeID {
			fresh = true
			return nil
		}
		if err := checkSchema(tx); err != nil {
			return err
		}
		return walk(tx)
	})
	if err == nil && fresh {
		err = s.db.Update(makeBuckets)
	}
	if err != nil {
		return err
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// buckets are those of a file. They are made at once, so a missing one was lost.
var buckets = []string{Meta, Cores, Jobs, Forgotten}

func makeBuckets(tx *bbolt.Tx) error {
	for _, name := range buckets {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	number := binary.BigEndian.AppendUint32(nil, Schema)
	return tx.Bucket([]byte(Meta)).Put(schemaKey, sealed(Meta, schemaKey, number))
}

// checkSchema demands that the file has the layout of this build. The number comes first in all
// layouts.
func checkSchema(tx *bbolt.Tx) error {
	meta := tx.Bucket([]byte(Meta))
	if meta == nil {
		return missing(Meta)
	}
	stored := meta.Get(schemaKey)
	if len(stored) != schemaBytes { // it has no checksum in layouts before 4
		var err error
		if stored, err = unsealed(Meta, schemaKey, stored); err != nil {
			return err
		}
	}
	if number := binary.BigEndian.Uint32(stored); number != Schema {
		return fmt.Errorf("%w: %d, and this build knows %d; use the build that wrote it", ErrSchema, number, Schema)
	}
	for _, name := range buckets {
		if tx.Bucket([]byte(name)) == nil {
			return missing(name)
		}
	}
	return nil
}

// schemaBytes is the size of the number of the schema.
const schemaBytes = 4

func missing(bucket string) error {
	return fmt.Errorf("%w: the bucket %s is missing", errDamaged, bucket)
}

// Claim writes whose file it is, or demands that it was written. A file of a build that did not
// write it belongs to the first node that claims it.
func (s *Store) Claim(grid, node string) error {
	var puts []Put
	for _, is := range []struct{ key, value string }{{"grid", grid}, {"node", node}} {
		have, err := s.Get(Meta, []byte(is.key))
		switch {
		case err != nil:
			return err
		case have == nil:
			puts = append(puts, Put{Meta, []byte(is.key), []byte(is.value)})
		case string(have) != is.value:
			return fmt.Errorf("%w: %s is of %s %s, and its folder of %s %s; put the canvass.db of this node back, or %s",
				ErrOwner, whole(s.db.Path()), is.key, have, is.key, is.value, Anew)
		}
	}
	if len(puts) == 0 {
		return nil
	}
	return s.Commit(puts...)
}

// Commit makes the puts durable. If the disk is full, it gives up the ballast beside the store.
func (s *Store) Commit(puts ...Put) error {
	commit := func() error {
		return s.guarded(new(bool), func() error {
			return s.db.Update(func(tx *bbolt.Tx) error { return put(tx, puts) })
		})
	}
	err := commit()
	if withoutSpace(err) {
		if was, failed := Release(filepath.Dir(s.db.Path())); was && failed == nil {
			err = commit()
		}
	}
	if err != nil {
		return Failed("writing to", s.db.Path(), err)
	}
	return nil
}

func put(tx *bbolt.Tx, puts []Put) error {
	for _, p := range puts {
		bucket := tx.Bucket([]byte(p.Bucket))
		var err error
		if p.Value == nil {
			err = bucket.Delete(p.Key)
		} else {
			err = bucket.Put(p.Key, sealed(p.Bucket, p.Key, p.Value))
		}
		if err != nil {
			return fmt.Errorf("a key of %s: %w", p.Bucket, err)
		}
	}
	return nil
}

// Get returns a copy of the value of a key, or nil.
func (s *Store) Get(bucket string, key []byte) (value []byte, err error) {
	err = s.read(bucket, new(bool), func(b *bbolt.Bucket) error {
		found, stored := b.Cursor().Seek(key) // Bucket.Get hides that a value was taken for a bucket
		if !bytes.Equal(found, key) {
			return nil
		}
		stored, err := unsealed(bucket, key, stored)
		if err == nil {
			value = append([]byte{}, stored...)
		}
		return err
	})
	return value, err
}

// Each calls a function with each value of a bucket whose key begins so, and with the key, in the
// order of the keys, until it returns an error: it cannot read the value, which is then an
// [ErrStorage]. The bytes are valid during the call only.
func (s *Store) Each(bucket string, prefix []byte, f func(key, value []byte) error) error {
	calling := false
	return s.read(bucket, &calling, func(b *bbolt.Bucket) error {
		c := b.Cursor()
		for key, stored := c.Seek(prefix); bytes.HasPrefix(key, prefix) && key != nil; key, stored = c.Next() {
			value, err := unsealed(bucket, key, stored)
			if err != nil {
				return err
			}
			calling = true
			err = f(key, value)
			calling = false
			if err != nil {
				return unusable(bucket, key, err)
			}
		}
		return nil
	})
}

// read reads from a bucket; see guarded.
func (s *Store) read(bucket string, calling *bool, f func(*bbolt.Bucket) error) error {
	err := s.guarded(calling, func() error {
		return s.db.View(func(tx *bbolt.Tx) error { return f(tx.Bucket([]byte(bucket))) })
	})
	if err != nil {
		return Failed("reading", s.db.Path(), err)
	}
	return nil
}

// Close closes the file. The kernel closes a file that broke while it was open when the process
// ends.
func (s *Store) Close() error {
	if s.broken.Load() != nil {
		return nil
	}
	return s.db.Close()
}

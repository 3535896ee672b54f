package disk

import "go.etcd.io/bbolt"

// LowOf refuses more work on a disk of the given size with the given free space.
func LowOf(left, size uint64) error { return low(left, size, "/data") }

// Stored is a copy of a value as it is on the disk.
func Stored(s *Store, bucket string, key []byte) (stored []byte) {
	_ = s.db.View(func(tx *bbolt.Tx) error {
		stored = append(stored, tx.Bucket([]byte(bucket)).Get(key)...)
		return nil
	})
	return stored
}

// Rewrite replaces a value as it is on the disk.
func Rewrite(s *Store, bucket string, key, stored []byte) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucket)).Put(key, stored) })
}

// MakeBucket makes a bucket in a bucket.
func MakeBucket(s *Store, bucket string, key []byte) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.Bucket([]byte(bucket)).CreateBucket(key)
		return err
	})
}

// DropBuckets drops all buckets.
func DropBuckets(s *Store) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if err := tx.DeleteBucket([]byte(name)); err != nil {
				return err
			}
		}
		return nil
	})
}

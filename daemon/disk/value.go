package disk

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

// ValueError names the value of a store that cannot be used: its bytes differ from the written
// ones, or its owner cannot decode them.
type ValueError struct {
	Bucket string
	Key    []byte
	Err    error
}

// Error names the value. A key that is no text is shown in hexadecimal.
func (e *ValueError) Error() string {
	key := string(e.Key)
	if strings.ContainsFunc(key, func(r rune) bool { return r < '!' || r > '~' }) {
		key = "0x" + hex.EncodeToString(e.Key)
	}
	return fmt.Sprintf("the value of %s in %s: %v", key, e.Bucket, e.Err)
}

// Unwrap returns what is wrong with the value.
func (e *ValueError) Unwrap() error { return e.Err }

var errChecksum = errors.New("its checksum is wrong")

// checksumBytes is the size of the checksum after each value.
const checksumBytes = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the CRC-32C of a value with its bucket and key, so that a value in a wrong place is
// noticed, too.
func checksum(bucket string, key, value []byte) uint32 {
	place := make([]byte, 0, 128)
	place = append(append(place, bucket...), 0) // no bucket has a zero in its name
	place = append(binary.BigEndian.AppendUint32(place, uint32(len(key))), key...)
	return crc32.Update(crc32.Checksum(place, castagnoli), castagnoli, value)
}

// sealed is a value as it is on the disk. The checksum comes last: the schema must begin with its
// number in all schemas.
func sealed(bucket string, key, value []byte) []byte {
	stored := append(make([]byte, 0, len(value)+checksumBytes), value...)
	return binary.BigEndian.AppendUint32(stored, checksum(bucket, key, value))
}

// unsealed is the value that was sealed.
func unsealed(bucket string, key, stored []byte) ([]byte, error) {
	end := len(stored) - checksumBytes
	if end < 0 || checksum(bucket, key, stored[:end]) != binary.BigEndian.Uint32(stored[end:]) {
		return nil, unusable(bucket, key, errChecksum)
	}
	return stored[:end:end], nil
}

// unusable is damage of one value.
func unusable(bucket string, key []byte, err error) error {
	return fmt.Errorf("%w: %w", errDamaged, &ValueError{bucket, append([]byte{}, key...), err})
}

package flight_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
)

// records is one record of each kind.
var records = []flight.Record{
	{Kind: flight.SnapshotRecord, Sequence: 1, Core: main, At: time.Second, Bytes: []byte{0}},
	{Kind: flight.InputRecord, Sequence: 2, Core: other, At: 2 * time.Second, Frame: 300, Bytes: []byte{4, 1}},
	{Kind: flight.OutputRecord, Sequence: 3, Core: other, Digest: 0x0102030405060708},
	{Kind: flight.SentRecord, Sequence: 4, Step: 2, Envelope: 1, Frame: 301},
	{Kind: flight.EndRecord, Sequence: 5, Core: other},
	{Kind: flight.GapRecord, Sequence: 8, Lost: 2},
}

func timed() flight.Header {
	h := header
	h.Segment, h.At, h.Wall = 5, time.Minute, time.Unix(1, 2).UTC()
	return h
}

// all reads a segment to its end.
func all(content []byte) (h flight.Header, records []flight.Record, note string, err error) {
	r, err := flight.NewReader("x.cfr", bytes.NewReader(content))
	if err != nil {
		return h, nil, "", err
	}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Header, records, r.Note(), nil
		}
		if err != nil {
			return h, records, "", err
		}
		records = append(records, record)
	}
}

// The bytes are those of files that exist: they change only with the magic word.
func TestGoldenSegment(t *testing.T) {
	content := flight.SegmentOf(timed(), records...)
	golden := "63616e7661737320666c6967687420310a280000ed046772696403412d31047465737403010107636f756e746572027b7d" +
		"0580b09dc2df0184a8d6b90735ea87df" +
		"0c0000c90101010000008094ebdc03003a80364f" +
		"0f0000ca02020102010480a8d6b907ac0204012cd8dbec" +
		"0e0000cb0303010201040807060504030201d7c4227e" +
		"060000c304040201ad02ad17f3ba" +
		"060000c30505010201042506a994" +
		"030000c606080222e6facd"
	assert.Equal(t, golden, hex.EncodeToString(content))
	h, got, note, err := all(content)
	require.NoError(t, err)
	assert.Equal(t, timed(), h)
	assert.Equal(t, records, got)
	assert.Empty(t, note)
}

// Detected: the reader reports any change of any byte.
func TestChangedByteIsFound(t *testing.T) {
	content := flight.SegmentOf(timed(), records...)
	for i := range content {
		for _, change := range []byte{1, 0x80, 0xff, content[i]} {
			if change == 0 {
				continue
			}
			changed := bytes.Clone(content)
			changed[i] ^= change
			_, got, _, err := all(changed)
			require.Error(t, err, "byte %d", i)
			assert.True(t, errors.Is(err, flight.ErrDamaged) || errors.Is(err, flight.ErrSchema), err)
			assert.ErrorContains(t, err, "x.cfr")
			for i := range got {
				assert.Equal(t, records[i], got[i], "the records before it are right")
			}
		}
	}
}

// The place of a changed byte is named, and the check says how far it came.
func TestChangedByteIsNamed(t *testing.T) {
	dir := recorded(t)
	file := files(t, dir)[1]
	changed := content(t, file)
	changed[len(changed)-20] ^= 1
	require.NoError(t, os.WriteFile(file, changed, 0o600))
	_, err := flight.Verify(files(t, dir), build(counter{}))
	assert.ErrorIs(t, err, flight.ErrDamaged)
	assert.ErrorContains(t, err, "after 4 steps: "+file+
		": the record after record 13, at byte 169, is damaged: its checksum is wrong")
}

// A file may end anywhere after its header.
func TestFileThatIsCutOff(t *testing.T) {
	content := flight.SegmentOf(timed(), records...)
	begin := len(flight.SegmentOf(timed()))
	ends := map[int]int{}
	for n := range len(records) + 1 {
		ends[len(flight.SegmentOf(timed(), records[:n]...))] = n
	}
	whole := 0
	for end := begin; end < len(content); end++ {
		if n, ok := ends[end]; ok {
			whole = n
		}
		for _, zeroes := range []int{0, 5, 5000} {
			_, got, note, err := all(append(bytes.Clone(content[:end]), make([]byte, zeroes)...))
			_, complete := ends[end]
			if zeroes > 0 && !complete && errors.Is(err, flight.ErrDamaged) {
				continue // zeroes within a record are no end
			}
			require.NoError(t, err, "%d bytes", end)
			require.Len(t, got, whole)
			for i := range got {
				assert.Equal(t, records[i], got[i])
			}
			assert.Equal(t, complete && zeroes == 0, note == "", note)
		}
	}
	for end := range begin {
		_, _, _, err := all(content[:end])
		assert.ErrorIs(t, err, flight.ErrDamaged)
	}
}

func TestVerifyNotesTheEnd(t *testing.T) {
	dir := recorded(t)
	file := files(t, dir)[2]
	whole := content(t, file)
	require.NoError(t, os.WriteFile(file, whole[:len(whole)-3], 0o600))
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	assert.Nil(t, report.Difference)
	require.Len(t, report.Notes, 2)
	assert.Contains(t, report.Notes[0], "ends within the record after 18")
	assert.Contains(t, report.Notes[1], "the input of record 18")
}

func TestOtherFiles(t *testing.T) {
	_, err := flight.Open(filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, _, _, err = all([]byte("canvass flight 2\n"))
	assert.ErrorIs(t, err, flight.ErrSchema)
	_, _, _, err = all([]byte("canvass"))
	assert.ErrorIs(t, err, flight.ErrDamaged)
	_, _, _, err = all(flight.SegmentOf(flight.Header{Life: "../escape"}))
	assert.ErrorIs(t, err, flight.ErrDamaged)
}

// The reader never panics, and accepts only files that a recorder could write.
func FuzzReader(f *testing.F) {
	f.Add(flight.SegmentOf(timed(), records...))
	f.Add(flight.SegmentOf(timed()))
	f.Add([]byte("canvass flight 1\n\x00\x00\x00\xc5\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		h, got, note, err := all(content)
		if err != nil {
			require.True(t, errors.Is(err, flight.ErrDamaged) || errors.Is(err, flight.ErrSchema), err)
			return
		}
		again := flight.SegmentOf(h, got...)
		require.True(t, bytes.HasPrefix(content, again))
		require.Equal(t, len(again) == len(content), note == "")
	})
}

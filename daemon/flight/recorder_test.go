package flight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
)

func TestHeaderIsChecked(t *testing.T) {
	for _, life := range []string{"", "../x", ".x", "a b", strings.Repeat("x", 65)} {
		_, err := flight.New(t.TempDir(), flight.Header{Life: life})
		assert.ErrorIs(t, err, flight.ErrHeader, life)
	}
	_, err := flight.New(filepath.Join("/dev/null", "x"), header)
	assert.Error(t, err)
}

// Flush: all earlier records are in the file; without it, the recorder writes after a while.
func TestFlush(t *testing.T) {
	dir := t.TempDir()
	l := start(t, dir, header)
	l.add(main, 1)
	require.NoError(t, l.Flush())
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	assert.EqualValues(t, 1, report.Steps)

	dir = t.TempDir()
	r, err := flight.NewWith(dir, header, 1<<20, 1<<22, 1<<20, time.Millisecond)
	require.NoError(t, err)
	defer r.Close()
	newLife(r).add(main, 1)
	require.Eventually(t, func() bool {
		report, err := flight.Verify(files(t, dir), build(counter{}))
		return err == nil && report.Steps == 1
	}, 10*time.Second, time.Millisecond)
}

// Bounded: a long incarnation has segments, and the oldest are deleted.
func TestSegmentsAreDeleted(t *testing.T) {
	dir := t.TempDir()
	r, err := flight.NewWith(dir, header, 2000, 10_000, 1<<20, time.Hour)
	require.NoError(t, err)
	l := newLife(r)
	for i := range uint64(2000) {
		if l.Due() {
			l.snapshot()
			require.NoError(t, l.Flush())
		}
		l.add(main, i)
	}
	require.NoError(t, l.Close())
	all, total := files(t, dir), 0
	for _, file := range all {
		total += len(content(t, file))
	}
	assert.LessOrEqual(t, total, 10_100)
	assert.GreaterOrEqual(t, len(all), 4)
	assert.NotContains(t, all, filepath.Join(dir, "A-1-000.cfr"))
	report, err := flight.Verify(all, build(counter{}))
	require.NoError(t, err)
	require.Len(t, report.Notes, 1)
	assert.Contains(t, report.Notes[0], "older segments were deleted")
	assert.Zero(t, r.Stats().Lost)
}

// Lossless: when the disk is behind, records are lost, counted and noted; a snapshot starts again.
func TestGapIsMarked(t *testing.T) {
	dir := t.TempDir()
	r, err := flight.NewWith(dir, header, 1<<20, 1<<22, 400, time.Hour) // nothing is written before Flush
	require.NoError(t, err)
	l := newLife(r)
	for range 100 {
		l.add(main, 1)
	}
	lost := r.Stats().Lost
	assert.Positive(t, lost)
	assert.Less(t, lost, uint64(200))
	assert.False(t, l.Due(), "a snapshot would be lost, too")
	l.snapshot() // has no effect
	require.NoError(t, l.Flush())
	assert.True(t, l.Due())
	l.snapshot()
	assert.False(t, l.Due())
	l.add(main, 1)
	require.NoError(t, l.Close())
	assert.Equal(t, lost, r.Stats().Lost)
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	assert.Nil(t, report.Difference)
	assert.Contains(t, strings.Join(report.Notes, "\n"), fmt.Sprintf("%d records are missing before record %d", lost, 202))
}

// An incarnation that ends in a gap says so, too, and a segment that is never ended does not grow
// forever.
func TestGapAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	r, err := flight.NewWith(dir, header, 500, 1<<22, 1<<20, time.Hour)
	require.NoError(t, err)
	l := newLife(r)
	for range 100 {
		l.add(main, 1)
	}
	assert.Positive(t, r.Stats().Lost)
	require.NoError(t, l.Close())
	l.add(main, 1)
	l.snapshot()
	assert.False(t, l.Due())
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	assert.Contains(t, strings.Join(report.Notes, "\n"), "records are missing before record 202")
}

// A record that no frame can hold is lost, and not cut off.
func TestHugeRecord(t *testing.T) {
	dir := t.TempDir()
	r, err := flight.New(dir, header)
	require.NoError(t, err)
	r.Snapshot(0, nil)
	r.Begin(main, 0, make([]byte, 1<<24))
	assert.EqualValues(t, 1, r.Stats().Lost)
	assert.True(t, r.Due())
	require.NoError(t, r.Close())
}

// A disk that fails ends the segment. The next one counts the missing records.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "A-1-000.cfr")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	l := start(t, dir, header)
	for range 3000 { // too many to be written at once
		l.add(main, 1)
	}
	require.ErrorIs(t, l.Flush(), os.ErrExist)
	l.add(main, 2)
	assert.EqualValues(t, 6003, l.Stats().Lost)
	assert.True(t, l.Due())
	l.snapshot()
	l.add(main, 3)
	assert.Error(t, l.Close())
	require.NoError(t, os.Remove(blocked))
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	assert.EqualValues(t, 1, report.Steps)
	require.Len(t, report.Notes, 1)
	assert.Contains(t, report.Notes[0], "6003 records are missing before record 6004")
}

// Several goroutines may record. The sequence orders all records.
func TestConcurrentCalls(t *testing.T) {
	dir := t.TempDir()
	r, err := flight.NewWith(dir, header, 1<<20, 1<<22, 1<<20, time.Millisecond)
	require.NoError(t, err)
	var work sync.WaitGroup
	r.Snapshot(0, nil)
	for i := range 4 {
		work.Go(func() {
			for j := range 50 {
				r.Sent(uint64(i), uint32(j), 1)
				if j%10 == 0 {
					r.Due()
					r.Flush()
				}
			}
		})
	}
	work.Wait()
	require.NoError(t, r.Close())
	_, got, note, err := all(content(t, files(t, dir)[0]))
	require.NoError(t, err)
	assert.Empty(t, note)
	assert.Len(t, got, 200)
}

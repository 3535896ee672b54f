package pieces_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/pieces"
	"github.com/canvass-grid/canvass/protocol"
)

var here, there = protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}

// pair connects two exchanges, the second of which has a file. Fate says how often a message
// arrives.
func pair(t testing.TB, content []byte, fate func(payload []byte) int) *pieces.Exchange {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, content, 0o600))
	asks := pieces.New(func([]byte) (*os.File, error) { return nil, errors.New("nothing is here") })
	has := pieces.New(func(wanted []byte) (*os.File, error) {
		if string(wanted) != "file" {
			return nil, errors.New("there is no " + string(wanted))
		}
		return os.Open(name)
	})
	send := func(from protocol.NodeID, to *pieces.Exchange) func(protocol.NodeID, []byte) {
		return func(_ protocol.NodeID, payload []byte) {
			for range fate(payload) {
				copied := bytes.Clone(payload)
				go func() { _ = to.Receive(from, copied) }()
			}
		}
	}
	asks.Connect(send(here, has))
	has.Connect(send(there, asks))
	return asks
}

// The reader returns the contents of the file, even if messages are dropped, duplicated and
// reordered.
func TestAPartOfAFileArrives(t *testing.T) {
	content := make([]byte, 9*pieces.Size+17)
	for i := range content {
		content[i] = byte(i >> 9)
	}
	rapid.Check(t, func(rt *rapid.T) {
		offset := rapid.IntRange(0, len(content)).Draw(rt, "offset")
		end := rapid.IntRange(offset, len(content)+pieces.Size).Draw(rt, "end")
		fates := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 1, 1, 2}), 1, 40).Draw(rt, "fates")
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			sent := 0
			x := pair(t, content, func([]byte) int {
				mu.Lock()
				defer mu.Unlock()
				if sent++; sent > len(fates) {
					return 1
				}
				return fates[sent-1]
			})
			r := x.Open(t.Context(), there, []byte("file"), int64(offset), int64(end))
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.True(t, bytes.Equal(content[offset:min(end, len(content))], got))
			synctest.Wait()
			assert.True(t, x.Idle())
		})
	})
}

// However many readers there are, no more is under way from a node than fits its queue.
func TestReadersShareTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked, most := 0, 0
		content := make([]byte, 20*pieces.Size)
		x := pair(t, content, func(payload []byte) int {
			mu.Lock()
			defer mu.Unlock()
			if pieces.IsQuestion(payload) {
				asked++
				most = max(most, asked)
			} else {
				asked--
			}
			return 1
		})
		var readers sync.WaitGroup
		for range 10 {
			readers.Go(func() {
				r := x.Open(t.Context(), there, []byte("file"), 0, int64(len(content)))
				got, err := io.ReadAll(r)
				assert.NoError(t, err)
				assert.Len(t, got, len(content))
				assert.NoError(t, r.Close())
			})
		}
		readers.Wait()
		assert.LessOrEqual(t, most, pieces.Window)
		assert.Greater(t, most, 1)
	})
}

func TestAReaderEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := pair(t, []byte("text"), func([]byte) int { return 0 })
		r := x.Open(t.Context(), there, []byte("file"), 0, 4)
		began := time.Now()
		_, err := io.ReadAll(r)
		require.ErrorIs(t, err, pieces.ErrSilent)
		assert.Equal(t, pieces.Patience, time.Since(began))
		require.NoError(t, r.Close())
		assert.True(t, x.Idle())

		ctx, cancel := context.WithCancel(t.Context())
		r = x.Open(ctx, there, []byte("file"), 0, 4)
		time.AfterFunc(time.Second, cancel)
		_, err = io.ReadAll(r)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, r.Close())
		assert.True(t, x.Idle())

		x = pair(t, nil, func([]byte) int { return 1 })
		r = x.Open(t.Context(), there, []byte("other"), 0, 4)
		_, err = io.ReadAll(r)
		require.EqualError(t, err, "there is no other")
		require.NoError(t, r.Close())
	})
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 'f', 'i', 'l', 'e'})
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, 1, 'd'})
	f.Add([]byte{3})
	f.Fuzz(func(t *testing.T, payload []byte) {
		x := pair(t, nil, func([]byte) int { return 0 })
		_ = x.Receive(there, payload) // and returns
		if again, err := pieces.Again(payload); err == nil {
			assert.Equal(t, payload, again)
		}
	})
}

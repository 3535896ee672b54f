package main_test

import (
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	nemesis "github.com/canvass-grid/canvass/internal/trials/nemesis"
)

// connected is both ends of a connection from node 1 to node 2.
func connected(t *testing.T) (f nemesis.Fabric, here, there net.Conn) {
	t.Helper()
	f, rooms, err := nemesis.NewFabric(2, [2]byte{255, byte(os.Getpid())})
	require.NoError(t, err)
	t.Cleanup(func() {
		f.Close()
		for _, l := range rooms {
			_ = l.Close()
		}
	})
	here, err = f.Dial(0, 1)
	require.NoError(t, err)
	there, err = rooms[1].Accept()
	require.NoError(t, err)
	return f, here, there
}

// comes reports whether a byte that one end writes arrives at the other within a moment.
func comes(t *testing.T, from, to net.Conn) bool {
	t.Helper()
	_, err := from.Write([]byte{7})
	require.NoError(t, err)
	require.NoError(t, to.SetReadDeadline(time.Now().Add(200*time.Millisecond)))
	_, err = to.Read(make([]byte, 1))
	return err == nil
}

func TestACutIsOneWayAndLosesNothing(t *testing.T) {
	f, here, there := connected(t)
	assert.True(t, comes(t, here, there))
	f.Cut(0, 1, 1)
	assert.False(t, comes(t, here, there))
	assert.True(t, comes(t, there, here))
	f.Cut(0, 1, -1)
	require.NoError(t, there.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err := io.ReadFull(there, make([]byte, 1))
	assert.NoError(t, err)
}

func TestResetEndsConnections(t *testing.T) {
	f, here, there := connected(t)
	require.True(t, comes(t, here, there))
	assert.Equal(t, 1, f.Reset(1, 0))
	require.NoError(t, here.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err := here.Read(make([]byte, 1))
	assert.Error(t, err)
	assert.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}

package local_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/local"
)

// agent stands in for a daemon: it runs until it is signalled.
func agent(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return file
}

func TestADaemonThatHasEndedIsStartedAgain(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Binary: agent(t, "echo $*; exit 3"), Nodes: 1}
	require.NoError(t, g.Make())
	for range 2 {
		require.NoError(t, g.Start(0))
		require.Equal(t, 0, <-g.Ended())
		assert.Equal(t, 3, g.Gone(0).ExitCode())
	}
	log, err := os.ReadFile(g.Log(0))
	require.NoError(t, err)
	line := "node agent --data " + g.Data(0) + " --shutdown-deadline 0s\n"
	assert.Equal(t, line+line, string(log))
}

func TestEndWaitsForAll(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Binary: agent(t, "exec sleep 100"), Nodes: 2}
	require.NoError(t, g.Make())
	for i := range g.Nodes {
		require.NoError(t, g.Start(i))
		assert.True(t, g.Alive(i))
	}
	assert.Empty(t, g.End())
	assert.Zero(t, g.Running())
}

// Daemons that leave at SIGTERM end at once at SIGINT.
func TestEndDoesNotWaitForDaemonsToLeave(t *testing.T) {
	script := "echo $6; trap 'exit 0' INT; trap '' TERM; touch $4/up; while :; do sleep 0.05; done"
	g := local.Grid{Folder: t.TempDir(), Binary: agent(t, script), Nodes: 1, Shutdown: time.Minute}
	require.NoError(t, g.Make())
	require.NoError(t, g.Start(0))
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(g.Data(0), "up"))
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
	assert.Empty(t, g.End())
	log, err := os.ReadFile(g.Log(0))
	require.NoError(t, err)
	assert.Equal(t, "1m0s\n", string(log))
}

func TestShapeChangesWhereDaemonsAreReached(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 2, Shape: func(i int, c *config.Config) {
		if i == 0 {
			c.Advertise = "127.0.0.9:7"
		}
	}}
	require.NoError(t, g.Make())
	c, err := config.Load(g.Data(1))
	require.NoError(t, err)
	assert.Equal(t, "127.0.0.9:7", c.Contacts[0].Endpoint)
}

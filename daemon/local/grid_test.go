package local_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
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
	line := "agent --data " + g.Data(0) + " --shutdown-deadline 0s\n"
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

func TestShapeChangesWhereDaemonsAreReached(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 2, Shape: func(i int, c *node.Config) {
		if i == 0 {
			c.Advertise = "127.0.0.9:7"
		}
	}}
	require.NoError(t, g.Make())
	c, err := node.LoadConfig(g.Data(1))
	require.NoError(t, err)
	assert.Equal(t, "127.0.0.9:7", c.Contacts[0].Endpoint)
}

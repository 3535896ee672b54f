package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

func needSpin(t *testing.T) {
	t.Helper()
	if missing := Missing(); len(missing) > 0 {
		t.Skip("not installed: ", missing)
	}
	t.Chdir("../..")
}

func TestSmallTwinsAgree(t *testing.T) {
	needSpin(t)
	for _, c := range []comparison{
		{"twophase", 3}, {"twophase/processes", 1}, {"paxos", 1}, {"paxos/processes", 1}, {"philosophers/courteous", 3},
	} {
		text, err := c.compare(context.Background())
		require.NoError(t, err, text)
	}
	require.NoError(t, verdict{"philosophers/ordered", 2, "Eats0", Cycle}.compare(context.Background()))
}

// A difference is noticed: of numbers, of verdicts, and a mutant without an effect.
func TestDifferencesAreNoticed(t *testing.T) {
	needSpin(t)
	require.ErrorIs(
		t,
		verdict{"philosophers/ordered", 2, checker.Deadlock, Deadlock}.compare(context.Background()),
		errDiffer,
	)
	require.Error(t, canary{"twophase", 2, "FINE"}.sings(context.Background()))
	require.NoError(t, canary{"twophase", 2, "BROKEN"}.sings(context.Background()))
	_, err := twinOf("nonsense")
	require.Error(t, err)
}

func TestRunOne(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, runOne(context.Background(), []string{"twophase", "3", "1"}, &out))
	assert.JSONEq(t, `{"states":288,"complete":true}`, out.String())
	require.Error(t, runOne(context.Background(), []string{"twophase", "x", "1"}, &out))
	require.ErrorIs(t, command(context.Background(), []string{"run"}), errUsage)
}

func TestMedian(t *testing.T) {
	assert.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, 1, 2 * time.Second}))
}

func TestSizes(t *testing.T) {
	all, err := sizes([]string{"twophase", "8", "paxos", "3"})
	require.NoError(t, err)
	assert.Equal(t, []comparison{{"twophase", 8}, {"paxos", 3}}, all)
	all, err = sizes(nil)
	require.NoError(t, err)
	assert.Len(t, all, 4)
	for _, wrong := range [][]string{{"twophase"}, {"paxos", "x"}} {
		_, err = sizes(wrong)
		require.Error(t, err)
	}
}

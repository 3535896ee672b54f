package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachItemIsThereOrSaysWhyNot(t *testing.T) {
	for n, i := range items {
		assert.Equal(t, n+1, i.number)
		assert.NotEmpty(t, i.title)
		assert.NotEqual(t, i.try == nil, i.lacks == "", "item %d", i.number)
	}
}

// of writes a ledger.
func of(t *testing.T, lines string) *trial {
	t.Helper()
	one := &trial{folder: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(one.folder, "ledger"), []byte(lines), 0o600))
	return one
}

func TestTheLedgerNoticesJobsThatRunTwice(t *testing.T) {
	good := of(t, "j A-1 0 10\nj A-1 0 20\nj B-1 0 30\nj B-1 0 40\nk A-2 0 13\nk A-2 0 15")
	ranks, attempts := good.onceAtATime()
	assert.Equal(t, 2, ranks)
	assert.Equal(t, 3, attempts)
	assert.Equal(t, 2, good.mostAtOnce())
	assert.Greater(t, good.lastBeat(), time.Hour)

	bad := of(t, "j A-1 0 10\nj B-1 0 15\nj A-1 0 20\nj B-1 0 40\n")
	assert.Panics(t, func() { bad.onceAtATime() })
}

func TestJudgesOfCanaries(t *testing.T) {
	out := "J1 AckedKept       violated     of 9 none is forgotten\nJ2 OneRun          holds        9\n" +
		"J6b OneHistory     violated     9 steps\nverdict: violated\nthe mutant a was noticed\n" +
		"J8 Results         violated     9\nthe mutant b was noticed\n"
	assert.Equal(t, []string{"a by J1, J6b", "b by J8"}, canariesOf(out))
	assert.Equal(t, []string{"x", "y-z"}, namesIn(`Name: "x", File: "f"},\n{Name: "y-z"`))
}

package flight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
)

// recorded is a folder with an incarnation of three segments, in which a second core begins and
// ends.
func recorded(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	l := start(t, dir, header)
	l.add(main, 1) // records 2 and 3
	l.add(main, 2)
	l.begin(other)
	l.Begin(other, l.at, l.core.AppendState(nil, 0)) // 6
	l.add(other, 3)
	l.snapshot() // 9 and 10
	l.add(main, 7)
	l.add(other, 5)
	l.End(other)
	delete(l.states, other)
	l.order = l.order[:1]
	l.snapshot() // 16
	l.Sent(13, 0, 99)
	l.add(main, 4)
	require.NoError(t, l.Close())
	require.Len(t, files(t, dir), 3)
	return dir
}

func TestVerifySameBuild(t *testing.T) {
	report, err := flight.Verify(files(t, recorded(t)), build(counter{}))
	require.NoError(t, err)
	assert.Equal(t, flight.Report{Lives: 1, Files: 3, Records: 19, Steps: 6, States: 3}, report)
}

// Walk shows the steps before the first difference, each with the core after it.
func TestWalk(t *testing.T) {
	seen := func(core counter) (all []string) {
		_, err := flight.Walk(files(t, recorded(t)), build(core), func(s *flight.Taken) {
			all = append(all, fmt.Sprintf("%s %d %v %s: %s: %s: %s",
				s.Life, s.Record, s.At, s.Core, s.After.InputText(), s.After.OutputText(), s.After.StateText(nil)))
			assert.WithinDuration(t, time.Now(), s.Wall, time.Hour)
		})
		require.NoError(t, err)
		return all
	}
	want := []string{
		"A-1 2 1ms counter: command: add 1: send B: Sum 1: sum 1",
		"A-1 4 2ms counter: command: add 2: send B: Sum 3: sum 3",
		"A-1 7 3ms counter C/4: command: add 3: send B: Sum 3: sum 3",
		"A-1 11 4ms counter: command: add 7: send B: Sum 10: sum 10",
		"A-1 13 5ms counter C/4: command: add 5: send B: Sum 8: sum 8",
		"A-1 18 6ms counter: command: add 4: send B: Sum 14: sum 14",
	}
	assert.Equal(t, want, seen(counter{}))
	assert.Equal(t, want[:3], seen(counter{wrongAt: 10}))
}

// FirstDifference: another build takes other steps.
func TestVerifyOtherBuild(t *testing.T) {
	dir := recorded(t)
	for _, c := range []struct {
		name string
		core counter
		text string
	}{
		{"other message", counter{wrongAt: 3},
			`A-1-000.cfr: record 4 of incarnation A-1, at 2ms, core counter: the output differs
  input:    command: add 2
  recorded: an output with digest 054387e7167ccd88
  now:      send B: Sum 4 (digest d285f98c2c95f5ef)`},
		{"later", counter{wrongAt: 10},
			`A-1-001.cfr: record 11 of incarnation A-1, at 4ms, core counter: the output differs
  input:    command: add 7
  recorded: an output with digest ca99b598070c3e30
  now:      send B: Sum 11 (digest e2e510482ac8b98d)`},
		{"other state", counter{forgets: true},
			`A-1-002.cfr: record 16 of incarnation A-1, at 5ms, core counter: the state differs
  input:    command: add 7
  recorded: sum 10
  now:      sum 3`},
		{"panic", counter{panicAt: 14},
			`A-1-002.cfr: record 18 of incarnation A-1, at 6ms, core counter: the output differs
  input:    command: add 4
  recorded: an output, or the same panic
  now:      the core panics: too much`},
		{"second core", counter{wrongAt: 8}, `A-1-001.cfr: record 11 of incarnation A-1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := flight.Verify(files(t, dir), build(c.core))
			require.NoError(t, err)
			require.NotNil(t, report.Difference)
			text := strings.ReplaceAll(report.Difference.String(), dir+"/", "")
			assert.True(t, strings.HasPrefix(text, c.text), text)
		})
	}
}

func TestVerifyUnknownCore(t *testing.T) {
	_, err := flight.Verify(files(t, recorded(t)), flight.Cores)
	assert.ErrorIs(t, err, flight.ErrCore)
	assert.ErrorContains(t, err, `core "counter" of build test`)
}

// The files of several incarnations may come in any order.
func TestVerifySeveralLives(t *testing.T) {
	dir := recorded(t)
	second := header
	second.Life = "A-2"
	l := start(t, dir, second)
	l.add(main, 9)
	l.snapshot()
	require.NoError(t, l.Close())
	all := files(t, dir)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	report, err := flight.Verify(all, build(counter{}))
	require.NoError(t, err)
	assert.Equal(t, flight.Report{Lives: 2, Files: 5, Records: 23, Steps: 7, States: 4}, report)
	_, err = flight.Verify([]string{all[0], all[0]}, build(counter{}))
	assert.ErrorContains(t, err, "are both segment 1 of life A-2")
}

// A segment that is missing is noted, and the check goes on from the next snapshot.
func TestVerifyWithoutSegment(t *testing.T) {
	dir := recorded(t)
	all := files(t, dir)
	report, err := flight.Verify([]string{all[0], all[2]}, build(counter{}))
	require.NoError(t, err)
	assert.Nil(t, report.Difference)
	assert.Equal(t, []string{all[2] + ": records 9 to 15 are missing: no file has them"}, report.Notes)
	assert.EqualValues(t, 4, report.Steps)

	report, err = flight.Verify(all[1:], build(counter{}))
	require.NoError(t, err)
	assert.Len(t, report.Notes, 1)
	assert.Contains(t, report.Notes[0], "records before 9 are missing")
}

// A step in which the process ended has an input and no output.
func TestVerifyLastStep(t *testing.T) {
	dir := t.TempDir()
	l := start(t, dir, header)
	l.add(main, 1)
	l.Input(main, l.at, 0, protocol.AppendInput(nil, l.core, counterInput{Kind: protocol.Command, Command: 2}))
	require.NoError(t, l.Close())
	report, err := flight.Verify(files(t, dir), build(counter{}))
	require.NoError(t, err)
	require.Len(t, report.Notes, 1)
	assert.Contains(t, report.Notes[0], "the input of record 4 (core counter) has no output")
	report, err = flight.Verify(files(t, dir), build(counter{panicAt: 3}))
	require.NoError(t, err)
	require.NotNil(t, report.Difference, "the panic that ended the life is shown")
	assert.Contains(t, report.Difference.Now, "the core panics: too much")
}

// Records that no recorder writes in this order.
func TestVerifyNonsense(t *testing.T) {
	in := protocol.AppendInput(nil, counter{}, counterInput{Kind: protocol.Command, Command: 2})
	snapshot := flight.Record{Kind: flight.SnapshotRecord, Sequence: 1, Core: main, Bytes: []byte{0}}
	for _, c := range []struct {
		says    string
		records []flight.Record
	}{
		{"has no snapshot", []flight.Record{{Kind: flight.InputRecord, Sequence: 1, Core: main, Bytes: in}}},
		{"without an input", []flight.Record{snapshot, {Kind: flight.OutputRecord, Sequence: 2, Core: main}}},
		{"no core of kind 9", []flight.Record{{Kind: flight.SnapshotRecord, Sequence: 1, Core: flight.CoreID{Kind: 9}}}},
		{"the state of a snapshot", []flight.Record{{Kind: flight.SnapshotRecord, Sequence: 1, Core: main}}},
		{"the input of core counter", []flight.Record{snapshot, {Kind: flight.InputRecord, Sequence: 2, Core: main}}},
		{"has no output", []flight.Record{
			snapshot,
			{Kind: flight.InputRecord, Sequence: 2, Core: main, Bytes: in},
			{Kind: flight.InputRecord, Sequence: 3, Core: main, Bytes: in},
		}},
		{"has no snapshot", []flight.Record{
			snapshot,
			{Kind: flight.EndRecord, Sequence: 2, Core: main},
			{Kind: flight.InputRecord, Sequence: 3, Core: main, Bytes: in},
		}},
		{"record 1 follows record 1", []flight.Record{snapshot, snapshot}},
		{"record 0 follows record 0", []flight.Record{{Kind: flight.EndRecord, Core: main}}},
		{"record 3 follows record 1 without a gap", []flight.Record{snapshot, {Kind: flight.EndRecord, Sequence: 3}}},
	} {
		file := filepath.Join(t.TempDir(), "x.cfr")
		require.NoError(t, os.WriteFile(file, flight.SegmentOf(timed(), c.records...), 0o600))
		_, err := flight.Verify([]string{file}, build(counter{}))
		assert.ErrorContains(t, err, c.says)
		assert.ErrorContains(t, err, file)
	}
}

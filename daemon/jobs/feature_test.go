package jobs_test

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

func TestAJobIsTriedAgainOnItsExitCodes(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	job := spec("true")
	job.Retries = jobs.Retries{OnExit: 2, Codes: []int{75, 137}, BackoffMin: time.Second, BackoffMax: 3 * time.Second}
	r := take(t, tab, job, "")
	ends := func(epoch uint32, status jobs.Status) (time.Duration, bool) {
		c := permit(tab, r, epoch)
		tab.Deposit(r, owner, epoch, []jobs.Status{{}, status})
		pause, again := r.Again()
		if again {
			tab.Follow(r, custody.Record{Try: epoch + 1})
		} else {
			c.End = custody.Done
			tab.Follow(r, c)
		}
		return pause, again
	}
	pause, again := ends(1, jobs.Status{Code: 75})
	assert.True(t, again)
	assert.Equal(t, time.Second, pause)
	assert.Equal(t, jobs.Accepted, r.State)
	assert.True(t, r.Owner.IsNobody())
	assert.Zero(t, r.Lost(), "it was not lost, it has failed")
	pause, again = ends(2, jobs.Status{Signal: 9})
	assert.True(t, again)
	assert.Equal(t, 2*time.Second, pause)
	_, again = ends(3, jobs.Status{Code: 75})
	assert.False(t, again, "two retries")
	assert.Equal(t, jobs.Failed, r.State)
	assert.Equal(t, 75, r.ExitCode())

	r = take(t, tab, job, "")
	_, again = ends(1, jobs.Status{Code: 74})
	assert.False(t, again, "another code")
}

func TestAJobEndsWhenNodesHaveLostTooManyAttempts(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	limit := 1
	job := spec("true")
	job.RestartLimit = &limit
	r := take(t, tab, job, "")
	for epoch := range uint32(2) {
		require.Empty(t, r.Requested)
		permit(tab, r, epoch+1)
		tab.Follow(r, custody.Record{Try: epoch + 2})
	}
	assert.Equal(t, jobs.Failed, r.Requested)
	assert.Less(t, uint32(r.Lost()), r.Limit(), "the record counts more finely than the custodians")
	end(tab, r, r.End())
	assert.Equal(t, jobs.Failed, r.State)
	assert.Equal(t, jobs.ExitGaveUp, r.ExitCode())
}

func TestTheNodesWithWhichAnAttemptWasLostAreNamed(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	tab.Fate = func(id protocol.NodeID) string {
		if id == here {
			return ""
		}
		return "was declared dead"
	}
	none := 0
	job := spec("true")
	job.RestartLimit = &none
	r := take(t, tab, job, "")
	permit(tab, r, 1)
	tab.Follow(r, custody.Record{Try: 2})
	a := r.Attempts[0]
	assert.Equal(t, "host C of rank 1 was declared dead", a.Reason)
	assert.Equal(t, []jobs.Rank{{}, {Lost: "node C was declared dead"}}, a.Ranks)
	assert.Equal(t, "its nodes have lost 1 attempt; in the last one, host C of rank 1 was declared dead", r.Why)

	// Many nodes are counted, and so is a representative that is no host.
	r = take(t, tab, job, "")
	wide := attempt(1)
	wide.Hosts = make([]protocol.NodeID, 5)
	for i := range wide.Hosts {
		wide.Hosts[i] = protocol.NodeID{Address: protocol.Address(3 + i), Incarnation: 1}
	}
	tab.Ask(r, wide)
	tab.Follow(r, custody.Record{Try: 1, Attempt: wide.Attempt(), Hosts: wide.Hosts})
	end(tab, r, custody.Cancelled)
	assert.Len(t, r.Attempts[0].Ranks, 5)
	r = take(t, tab, job, "")
	tab.Ask(r, wide)
	tab.Follow(r, custody.Record{Try: 1, Attempt: wide.Attempt(), Hosts: wide.Hosts})
	tab.Follow(r, custody.Record{Try: 2})
	assert.Equal(t, "host D of rank 0 was declared dead, host E of rank 1 was declared dead, "+
		"host F of rank 2 was declared dead, 3 more of its nodes are gone", r.Attempts[0].Reason)
}

func TestAHeldJobWaitsUntilItIsReleased(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	job := spec("true")
	job.Hold = true
	r := take(t, tab, job, "")
	assert.Equal(t, jobs.Held, r.State)
	require.NoError(t, tab.Release(r))
	assert.Equal(t, jobs.Accepted, r.State)
	c := permit(tab, r, 1)
	require.NoError(t, tab.Hold(r))
	assert.Equal(t, jobs.Running, r.State, "a running job continues")
	outcome(tab, r, c, jobs.Status{}, jobs.Status{})
	assert.ErrorIs(t, tab.Hold(r), jobs.ErrOver)
	assert.ErrorIs(t, tab.Release(r), jobs.ErrOver)
}

func TestJobsThatHaveEndedAreRemoved(t *testing.T) {
	folder := t.TempDir()
	tab, s := table(t, folder)
	r, other := take(t, tab, spec("true"), "key"), take(t, tab, spec("true"), "")
	end(tab, r, custody.Cancelled)
	end(tab, other, custody.Cancelled)
	assert.Empty(t, tab.Expired(now, 2))
	assert.Len(t, tab.Expired(now, 1), 1)
	assert.Len(t, tab.Expired(now.Add(1), 2), 2)
	require.NoError(t, s.Commit(tab.Puts()...))
	tab.Remove(r)
	require.NoError(t, s.Commit(tab.Puts()...))
	require.NoError(t, s.Close())

	tab, s = table(t, folder)
	defer s.Close()
	_, err := tab.Find(r.ID)
	require.ErrorIs(t, err, jobs.ErrUnknown)
	fresh, err := tab.Known(spec("true"), "key")
	require.NoError(t, err)
	assert.Nil(t, fresh)
	assert.Len(t, tab.Everything(), 1)
}

func TestArraysAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"0-99%10", "3", "1,5,7-9", "7-9,1"} {
		a, err := jobs.ParseArray(text)
		require.NoError(t, err)
		assert.Equal(t, text, a.String())
	}
	for _, text := range []string{"", "-1", "1-", "0-3%0", "0-3%x", "5-4", "a", "0-100000", "1,1", "0-3,2-5"} {
		_, err := jobs.ParseArray(text)
		require.ErrorIs(t, err, jobs.ErrSpec, text)
	}
	a := jobs.Indexes([]int{9, 1, 2, 3, 7}, 2)
	assert.Equal(t, "1-3,7,9%2", a.String())
	assert.Equal(t, 5, a.Size())
	at, is := a.At(3)
	assert.True(t, is)
	assert.Equal(t, 7, at)
	assert.Equal(t, []int{1, 2, 3, 7, 9}, slices.Collect(a.All))
	for _, n := range []int{-1, 5, 1 << 40} {
		_, is := a.At(n)
		assert.False(t, is)
	}
	damaged := jobs.Array{Ranges: []jobs.Range{{First: 3, Last: 1}, {First: 0, Last: -9}}}
	_, is = damaged.At(0)
	assert.False(t, is)
	assert.True(t, a.Has(9) && a.Has(2) && !a.Has(8))
}

// For every order in which the elements end: never more than the limit run at once, each index once
// and with one name, the array ends with its last element, and a restart changes nothing.
func TestElementsOfAnArray(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tab, s := table(t, folder)
		size, atOnce := rapid.IntRange(1, 6).Draw(t, "size"), rapid.IntRange(1, 3).Draw(t, "at once")
		job := jobs.Spec{Command: []string{"echo", "{index}"}, Tasks: 1}
		job.Array = &jobs.Array{Ranges: []jobs.Range{{First: 3, Last: 2 + size}}, AtOnce: atOnce}
		array := take(t, tab, job, "")
		id, failed, seen := array.ID, 0, map[int]bool{}
		var live []string
		cancelled := false
		for range 20 {
			switch rapid.SampledFrom([]string{"spawn", "end", "restart", "cancel"}).Draw(t, "what") {
			case "spawn":
				e := tab.Spawn(array, 10)
				require.Equal(t, !cancelled && len(live) < atOnce && len(seen) < size, e != nil)
				if e != nil {
					require.False(t, seen[e.Index])
					seen[e.Index], live = true, append(live, e.ID)
					require.Equal(t, verbatim.List{"echo", fmt.Sprint(e.Index)}, e.Spec.Command)
					require.Equal(t, array.Custody.Number+uint32(e.Index-2), e.Custody.Number)
				}
			case "end":
				if len(live) > 0 {
					e, err := tab.Find(live[0])
					require.NoError(t, err)
					live = live[1:]
					if rapid.Bool().Draw(t, "succeeds") {
						outcome(tab, e, custody.Record{
							Try: 1, Attempt: custody.Attempt{By: owner, Epoch: 1}, Hosts: []protocol.NodeID{here},
						})
						tab.Follow(e, custody.Record{Try: 1, End: custody.Done})
					} else {
						end(tab, e, custody.Cancelled)
					}
					if e.State != jobs.Succeeded {
						failed++
					}
				}
			case "cancel":
				if !array.State.Final() && rapid.IntRange(0, 4).Draw(t, "really") == 0 {
					cancelled = true
					require.NoError(t, tab.Want(array, jobs.Cancelled, ""))
				}
			case "restart":
				require.NoError(t, s.Commit(tab.Puts()...))
				require.NoError(t, s.Close())
				tab, s = table(t, folder)
				var err error
				array, err = tab.Find(id)
				require.NoError(t, err)
			}
			over := len(live) == 0 && (cancelled || len(seen) == size)
			require.Equal(t, over, tab.Settle(array), "result %s", array.Result)
			require.Equal(t, over, array.Digest() != "")
			if over && !cancelled {
				require.Equal(t, failed > 0, array.Result == jobs.Failed)
				require.Len(t, tab.FailedIndexes(array), failed)
			}
			total := 0
			for _, n := range tab.Count(array) {
				total += n
			}
			require.Equal(t, size, total)
		}
		if tab.Settle(array) {
			result := array.Result
			tab.Follow(array, custody.Record{Try: 1, End: custody.Done})
			require.Equal(t, result, array.State)
		}
		require.NoError(t, s.Close())
	})
}

func TestElementsAreFoundByTheirIndex(t *testing.T) {
	tab, s := table(t, t.TempDir())
	defer s.Close()
	array := take(t, tab, jobs.Spec{Command: []string{"true"}, Array: jobs.Indexes([]int{1, 2}, 0)}, "")
	first := tab.Spawn(array, 1)
	found, err := tab.Find(array.ID[:6] + "[1]")
	require.NoError(t, err)
	assert.Same(t, first, found)
	waiting, err := tab.Find(array.ID + "[2]")
	require.NoError(t, err)
	assert.Equal(t, jobs.Accepted, waiting.State)
	require.ErrorIs(t, tab.Want(waiting, jobs.Cancelled, ""), jobs.ErrSpec)
	require.ErrorIs(t, tab.Hold(waiting), jobs.ErrSpec)
	for _, id := range []string{array.ID + "[3]", array.ID + "[01]", array.ID + "[", first.ID + "[1]"} {
		_, err = tab.Find(id)
		require.ErrorIs(t, err, jobs.ErrUnknown, id)
	}
	assert.Equal(t, []*jobs.Record{array}, slices.Collect(tab.After("")))
	assert.Len(t, tab.Live(), 2)
	assert.Len(t, tab.Elements(array), 1)
	assert.Len(t, tab.Kin(array), 2)
}

func TestPatternsOfFiles(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"out/**", "out/a/b", true},
		{"out/**", "other/a", false},
		{"out/**", "out", true},
		{"out", "out/a/b", true},
		{"**/*.png", "a/b/c.png", true},
		{"**/*.png", "c.png", true},
		{"**/*.png", "c.txt", false},
		{"*.txt", "a/b.txt", false},
		{"out/*", "out", false},
		{".", "a/b", true},
		{"./out/", "out/a", true},
		{`\[x\]`, "[x]", true},
		{`\[x\]`, "x", false},
		{"**", "a/b", true},
	} {
		assert.Equal(t, test.want, jobs.Matches(test.pattern, test.name), "%s %s", test.pattern, test.name)
	}
}

// An input is FROM or FROM:TO, and a backslash makes any character part of a name.
func TestInputsOfACommandLine(t *testing.T) {
	for text, want := range map[string][2]string{
		"a": {"a"}, "a:b": {"a", "b"}, "a:": {"a"}, "a:b:c": {"a", "b:c"}, `co\:lon`: {`co\:lon`},
		`co\:lon:to\:o`: {`co\:lon`, "to:o"}, `\[x\]:[x]`: {`\[x\]`, "[x]"}, `a\\:b`: {`a\\`, "b"}, "d/*:d/": {"d/*", "d/"},
	} {
		from, to, err := jobs.CutInput(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, [2]string{from, to}, text)
	}
	for _, text := range []string{"", ":a", "[", `a\`, "[:b"} {
		_, _, err := jobs.CutInput(text)
		require.ErrorIs(t, err, jobs.ErrSpec, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOfN(rapid.SampledFrom([]byte(`ab*?[]\:-^`)), 1, 6).Draw(t, "name"))
		from, to, err := jobs.CutInput(jobs.Escape(name) + ":" + jobs.Escape(name))
		require.NoError(t, err)
		require.False(t, jobs.IsPattern(from))
		require.Equal(t, [2]string{name, name}, [2]string{jobs.Unescape(from), to})
		require.True(t, jobs.Matches(jobs.Escape(name), name))
	})
}

// A job keeps the bytes of its words, variables and files, on every way of its record.
func TestRecordsKeepBytes(t *testing.T) {
	digest := strings.Repeat("0", 64)
	r := &jobs.Record{
		Version: jobs.Version, ID: "b4k2", State: jobs.Accepted, Custodians: jobs.Custodians{1},
		Changes: []jobs.Change{{State: jobs.Accepted}},
		Spec: jobs.Spec{
			Tasks: 1, Command: []string{"a\xe9", "\xff"}, Env: []string{"V=\x80"}, Outputs: []string{"\xc3*"},
			Inputs: []jobs.File{{Path: "in\xe9", Digest: digest}},
		},
		Attempts: []jobs.Attempt{{
			Hosts: make([]protocol.NodeID, 1), Ranks: []jobs.Rank{{Outputs: []jobs.File{{Path: "b\xe9", Link: "l\xfe"}}}},
		}},
	}
	back, err := jobs.Decode(r.Encode())
	require.NoError(t, err)
	assert.Equal(t, r.Spec, back.Spec)
	assert.Equal(t, r.Attempts[0].Ranks, back.Attempts[0].Ranks)
	require.ErrorIs(t, jobs.CheckKey("k\xe9"), jobs.ErrSpec)
	require.ErrorIs(t, jobs.CheckKey("k\x00"), jobs.ErrSpec)
	require.NoError(t, jobs.CheckKey("kéy"))
}

func TestFoldersThatMayHoldOutputs(t *testing.T) {
	for _, test := range []struct {
		pattern, folder string
		want            bool
	}{
		{"**", "d", true}, {".", "d", true}, {"out", "out", true}, {"out", "out/d", true}, {"out/*.png", "out", true},
		{"out/*.png", "out/d", false}, {"out/*.png", "cache", false}, {"*/d/*", "a", true}, {"*/d/*", "a/e", false},
		{"a", ".", true}, {"**/x", "a/b", true}, {"o*", "out/deep/er", true},
	} {
		assert.Equal(t, test.want, jobs.MayHold(test.pattern, test.folder), "%s %s", test.pattern, test.folder)
	}
}

// Outputs that could not be kept are named, the first ones in the record and all of them by number.
func TestOutputsThatAreNotKept(t *testing.T) {
	as := func(name string) string { return name }
	var r jobs.Rank
	assert.False(t, r.Lacks("**", as))
	r.Miss("b\xe9", "permission denied")
	assert.Equal(t, `output "b\xe9" is not kept: permission denied`, r.Problem)
	assert.False(t, r.Lacks("good", as))
	assert.True(t, r.Lacks("b?", as))
	assert.False(t, r.Lacks("**/x", as))
	r.Miss("d/", "permission denied")
	assert.Contains(t, r.Problem, "; nor is 1 other")
	assert.True(t, r.Lacks("**/x", as), "it may be in the folder")
	assert.False(t, r.Lacks("good", as))
	assert.True(t, r.Lacks("rank-1/d/x", func(name string) string { return "rank-1/" + name }))
	for range 100 {
		r.Miss("more", strings.Repeat("x", 1000))
	}
	assert.Contains(t, r.Problem, "; nor are 101 others")
	assert.Equal(t, 102, len(r.Unkept)+r.UnkeptMore)
	assert.True(t, r.Lacks("good", as), "not all are named")
	for range 100 {
		r.Remark("no file matches")
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Less(t, len(text), 8<<10)
	old := jobs.Rank{Problem: "of an older daemon"}
	assert.True(t, old.Lacks("good", as))

	status := jobs.Status{Unkept: true, Error: "output x is not kept"}
	assert.False(t, status.OK())
	record := jobs.Record{State: jobs.Failed, Attempts: []jobs.Attempt{{Statuses: []jobs.Status{{}, status}}}}
	assert.Equal(t, jobs.ExitUnkept, record.ExitCode())
}

func TestFilesOfJobs(t *testing.T) {
	digest := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	good := jobs.File{Path: "a/b", Digest: digest, Mode: 0o644}
	for name, change := range map[string]func(*jobs.Spec){
		"outside":     func(s *jobs.Spec) { s.Inputs[0].Path = "../b" },
		"rooted":      func(s *jobs.Spec) { s.Inputs[0].Path = "/b" },
		"not clean":   func(s *jobs.Spec) { s.Inputs[0].Path = "a//b" },
		"no digest":   func(s *jobs.Spec) { s.Inputs[0].Digest = "abc" },
		"upper case":  func(s *jobs.Spec) { s.Inputs[0].Digest = "E" + digest[1:] },
		"set-uid":     func(s *jobs.Spec) { s.Inputs[0].Mode = 0o4755 | 1<<23 },
		"a link":      func(s *jobs.Spec) { s.Inputs[0].Link = "x" },
		"twice":       func(s *jobs.Spec) { s.Inputs = append(s.Inputs, good) },
		"too many":    func(s *jobs.Spec) { s.Outputs = make([]string, jobs.FilesLimit+1) },
		"stdin of 2":  func(s *jobs.Spec) { s.Stdin, s.Tasks = digest, 2 },
		"bad pattern": func(s *jobs.Spec) { s.Outputs = []string{"["} },
		"too long":    func(s *jobs.Spec) { s.Command = append(s.Command, string(make([]byte, jobs.SpecLimit))) },
	} {
		s := jobs.Spec{Command: []string{"true"}, Inputs: []jobs.File{good}}
		require.NoError(t, s.Validate())
		change(&s)
		assert.ErrorIs(t, s.Validate(), jobs.ErrSpec, name)
	}
}

func TestWhatIsKnownOfARank(t *testing.T) {
	a := jobs.Attempt{Hosts: []protocol.NodeID{here, owner}}
	a.Rank(1).Isolation = "cgroup"
	assert.Len(t, a.Ranks, 2)
	assert.Equal(t, "cgroup", a.Rank(1).Isolation)
}

func TestAJobRestsBetweenTries(t *testing.T) {
	end := time.Unix(1000, 0)
	failed := jobs.Record{
		State:    jobs.Accepted,
		Spec:     jobs.Spec{Retries: jobs.Retries{OnExit: 1, BackoffMin: 10 * time.Second, BackoffMax: time.Minute}},
		Attempts: []jobs.Attempt{{End: &end, Statuses: []jobs.Status{{Code: 1}}}},
	}
	assert.Equal(t, 7*time.Second, failed.Rest(end.Add(3*time.Second)))
	assert.Zero(t, failed.Rest(end.Add(11*time.Second)))
	lost, owned, first := failed, failed, failed
	lost.Attempts = []jobs.Attempt{{End: &end}}
	owned.Owner = owner
	first.Attempts = nil
	for _, r := range []jobs.Record{lost, owned, first} {
		assert.Zero(t, r.Rest(end))
	}
}

// A pattern of many ** takes no time, and matches like a pattern that tries each number of folders.
func TestManyStarsMatch(t *testing.T) {
	long := strings.Repeat("a/", 60) + "b"
	stars := strings.Repeat("**/", 40)
	require.False(t, jobs.Matches(stars+"c", long)) // and it returns
	require.True(t, jobs.Matches(stars+"b", long))
	var slow func(pattern, name []string) bool
	slow = func(pattern, name []string) bool {
		switch {
		case len(pattern) == 0:
			return true
		case pattern[0] == "**":
			return slow(pattern[1:], name) || len(name) > 0 && slow(pattern, name[1:])
		}
		if len(name) == 0 {
			return false
		}
		ok, _ := path.Match(pattern[0], name[0])
		return ok && slow(pattern[1:], name[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "*", "a", "b", "a*"}), 1, 6).Draw(t, "pattern")
		name := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 1, 6).Draw(t, "name")
		got := jobs.Matches(strings.Join(pattern, "/"), strings.Join(name, "/"))
		require.Equal(t, slow(pattern, name), got)
	})
}

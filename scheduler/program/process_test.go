package program_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/program"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// TestMain lets the test binary stand in for a policy that takes almost no time.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "first-come" {
		firstCome()
		return
	}
	os.Exit(m.Run())
}

// firstCome starts the oldest job while it fits into cluster 0.
func firstCome() {
	lines := bufio.NewReader(os.Stdin)
	nodes := map[int]int{}
	for n := 0; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if n == 0 {
			fmt.Println(`{"version":1}`)
			continue
		}
		var r struct {
			Submitted   []struct{ Job, Nodes int }
			Queue, Free []int
		}
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		for _, j := range r.Submitted {
			nodes[j.Job] = j.Nodes
		}
		answer := []byte(`{"start":[`)
		for _, j := range r.Queue {
			if r.Free[0] < nodes[j] {
				break
			}
			r.Free[0] -= nodes[j]
			answer = fmt.Appendf(answer, "[%d,0],", j)
		}
		os.Stdout.Write(append(bytes.TrimSuffix(answer, []byte(",")), "]}\n"...))
	}
}

// run runs jobs by the policy with a name.
func run(
	ctx context.Context, s program.System, name string, w *scheduler.Workload, nodes ...int,
) (*scheduler.Result, error) {
	return runPasses(ctx, s, name, "", w, nodes...)
}

// runPasses does so with a value of passes.
func runPasses(
	ctx context.Context, s program.System, name, passes string, w *scheduler.Workload, nodes ...int,
) (*scheduler.Result, error) {
	runner, err := s.Prepare(func(setting string) string {
		return map[string]string{"policy": name, "passes": passes}[setting]
	})
	if err != nil {
		return nil, err
	}
	return runner(ctx, w, &scheduler.Ground{Platform: grid(nodes...)}, 1)
}

func grid(nodes ...int) *scheduler.Platform {
	p := &scheduler.Platform{Name: "test"}
	for _, n := range nodes {
		p.Clusters = append(p.Clusters, scheduler.Cluster{Name: "c", Nodes: n, SpeedPermille: 1000})
	}
	return p
}

// script writes a program for the shell and returns the name of its policy.
func script(t *testing.T, lines ...string) string {
	path := filepath.Join(t.TempDir(), "policy")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o755))
	return "exec:" + path
}

// greets answers the greeting and reads the first request.
const greets = "read hello; echo '{\"version\":1}'; read request"

func two() *scheduler.Workload {
	const s = scheduler.Second
	return &scheduler.Workload{Name: "two", Jobs: []scheduler.Job{
		{Number: 7, RunMicros: 3 * s, EstimateMicros: 5 * s, Nodes: 2,
			User: 4, Group: -1, Executable: -1, Queue: -1, Partition: 1},
		{Number: 8, SubmitMicros: s / 2, RunMicros: s, EstimateMicros: s, Nodes: 1},
	}}
}

// The requests are those of the documents.
func TestRequests(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	name := script(t, "exec 2>"+log, "read hello; echo \"$hello\" >&2; echo '{\"version\":1}'",
		"read r; echo \"$r\" >&2; echo '{\"start\":[[0,1]],\"wake\":700000}'",
		"read r; echo \"$r\" >&2; echo '{\"wake\":600000}'", "read r; echo \"$r\" >&2; echo '{\"start\":[[1,0]]}'",
		"while read r; do echo \"$r\" >&2; echo '{}'; done")
	r, err := run(t.Context(), program.System{}, name, two(), 2, 3)
	require.NoError(t, err)
	assert.EqualValues(t, []scheduler.Record{
		{Job: 0, EndMicros: 3_000_000, Cluster: 1}, {Job: 1, StartMicros: 600_000, EndMicros: 1_600_000},
	}, r.Records)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, `{"hello":"canvass","version":1,"seed":1,"choice":"","platform":{"name":"test","clusters":`+
		`[{"name":"c","nodes":2,"speed_permille":1000},{"name":"c","nodes":3,"speed_permille":1000}]}}
{"now":0,"submitted":[{"job":0,"number":7,"submit":0,"nodes":2,"estimate":5000000,"user":4,"group":null,`+
		`"executable":null,"queue":null,"partition":1}],"ended":[],"queue":[0],"free":[2,3]}
{"now":500000,"submitted":[{"job":1,"number":8,"submit":500000,"nodes":1,"estimate":1000000,"user":0,"group":0,`+
		`"executable":0,"queue":0,"partition":0}],"ended":[],"queue":[1],"free":[2,1]}
{"now":600000,"submitted":[],"ended":[],"queue":[1],"free":[2,1]}
{"now":1600000,"submitted":[],"ended":[1],"queue":[],"free":[2,1]}
{"now":3000000,"submitted":[],"ended":[0],"queue":[],"free":[2,3]}
`, string(text))
}

// Each mistake of a program is an error with its time, the job and a remedy.
func TestMistakes(t *testing.T) {
	const waits = ` (jobs that wait: 1, the oldest is job 0 (number 7))`
	for name, test := range map[string]struct{ script, want string }{
		"no greeting": {
			"read hello; echo hello",
			`it answered the greeting with "hello": it is not a JSON object; write {"version":1}` + waits,
		},
		"other version": {
			`read hello; echo '{"version":2}'`,
			`it wants version 2 of the protocol, and this program has 1; use another release of either` + waits,
		},
		"twice": {
			greets + `; echo '{"start":[[0,0],[0,0]]}'; read x`,
			`it starts job 0 (number 7) in cluster 0, but it started at 0 s already; start each job once`,
		},
		"garbage": {
			greets + `; echo 'starting job 0'; read x`,
			`it answered "starting job 0": it is not a JSON object; write one line`,
		},
		"misspelt": {
			greets + `; echo '{"starts":[[0,0]]}'; read x`,
			`it answered "{\"starts\":[[0,0]]}": unknown field "starts"; write one line for each`,
		},
		"triple": {
			greets + `; echo '{"start":[[0,0,1]]}'; read x`,
			`start has 3 numbers where [job, cluster] belongs; write`,
		},
		"fraction": {greets + `; echo '{"wake":1.5}'; read x`, `wake is a JSON number 1.5; want a whole number`},
		"capitals": {
			greets + `; echo '{"START":[[0,0]]}'; read x`,
			`it answered "{\"START\":[[0,0]]}": unknown field "START"; use start and wake; write one line for each`,
		},
		"capitals in the greeting": {
			`read hello; echo '{"Version":1}'`, `unknown field "Version"; use version; write {"version":1}`,
		},
		"a field twice": {
			greets + `; echo '{"start":[],"start":[[0,0]]}'; read x`, `it has the field "start" twice; write one line`,
		},
		"null":         {greets + `; echo '{"start":null}'; read x`, `null is no value; leave the field out; write one line`},
		"null cluster": {greets + `; echo '{"start":[[0,null]]}'; read x`, `null is no value`},
		"bracket":      {greets + `; echo '{}]'; read x`, `there is more than one object in the line`},
		"decimals":     {greets + `; echo '{"start":[[0,1.0]]}'; read x`, `start is a JSON number 1.0; want a whole number`},
		"garbage and an answer": {
			greets + `; printf 'debug\n{}\n'; read x`, `it answered "debug": it is not a JSON object; write one line`,
		},
		"closes its output": {
			greets + `; exec >&-; sleep 60`, `it closed its standard output without an answer; keep it open`,
		},
		"two objects": {
			greets + `; echo '{} {}'; read x`, `it answered "{} {}": there is more than one object in the line; write`,
		},
		"two lines": {
			greets + `; printf '{}\n{}\n'; read x`,
			`it wrote more than one line for a request, the second begins with "{}"; write`,
		},
		"too much": {
			greets + `; head -c 2000000 /dev/zero | tr '\0' x; read x`, `its answer has more than 1048576 bytes; write one line`,
		},
		"late": {
			greets + `; sleep 60`,
			`it gave no answer within 200ms; write a line for each request and flush it, or raise`,
		},
		"dies": {
			greets + `; echo 'something' >&2; echo 'out of luck' >&2; exit 3`,
			`it ended (exit status 3) without an answer, and its last words were "out of luck"; let it read requests`,
		},
		"ends":   {greets, `it ended (code 0) without an answer; let it read requests until the end of its input` + waits},
		"stalls": {`read h; echo '{"version":1}'; while read r; do echo '{}'; done`, `at 0.5 s it has stalled: no job runs`},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			s := program.System{Within: 200 * time.Millisecond, Stderr: &stderr}
			if name != "late" {
				s.Within = time.Minute
			}
			policy := script(t, test.script)
			_, err := run(t.Context(), s, policy, two(), 2, 3)
			var refused *central.PolicyError
			require.ErrorAs(t, err, &refused)
			assert.Regexp(t, `^run policy "`+regexp.QuoteMeta(policy)+`@[0-9a-f]{16}": at 0(\.5)? s its? `, err.Error())
			assert.Contains(t, err.Error(), test.want)
			assert.NotContains(t, err.Error(), "\n")
			if name == "dies" {
				assert.Equal(t, "something\nout of luck\n", stderr.String())
			}
		})
	}
}

// No process of a run outlives it, however it ends.
func TestNoProcessStays(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	both := "echo $$ >" + pids + "; sleep 1000 & echo $! >>" + pids + "; "
	for name, test := range map[string]struct {
		script  string
		succeed bool
		cancel  bool
	}{
		"cancelled": {script: both + greets + "; sleep 1000", cancel: true},
		"late":      {script: both + greets + "; sleep 1000"},
		"leaves a child": {
			script: "echo $$ >" + pids + "; sleep 1000 >/dev/null 2>&1 & echo $! >>" + pids + "; " + greets +
				"; echo '{\"start\":[[0,0]]}'; read r; echo '{\"start\":[[1,1]]}'; while read r; do echo '{}'; done",
			succeed: true,
		},
		"stays": {script: both + greets + "; echo '{\"start\":[[0,0]]}'; read r; echo '{\"start\":[[1,1]]}'; " +
			"read r; echo '{}'; read r; echo '{}'; sleep 1000", succeed: true},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.RemoveAll(pids))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			limit := time.Minute
			switch {
			case test.cancel:
				go func() {
					for written(pids) < 2 {
						time.Sleep(time.Millisecond)
					}
					cancel()
				}()
			case !test.succeed:
				limit = 2 * time.Second
			}
			began := time.Now()
			_, err := run(ctx, program.System{Within: limit}, script(t, test.script), two(), 2, 3)
			assert.Equal(t, test.succeed, err == nil, "%v", err)
			assert.Less(t, time.Since(began), 30*time.Second)
			text, err := os.ReadFile(pids)
			require.NoError(t, err)
			for _, line := range strings.Fields(string(text)) {
				var pid int
				_, err := fmt.Sscan(line, &pid)
				require.NoError(t, err)
				require.Eventually(t, func() bool { return isGone(pid) }, 10*time.Second, 10*time.Millisecond, "process %d", pid)
			}
		})
	}
}

// written counts the words of a file.
func written(path string) int {
	text, _ := os.ReadFile(path)
	return len(strings.Fields(string(text)))
}

// isGone reports whether a process has ended. A zombie counts as ended.
func isGone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}

// easy is the policy of the example; the test is skipped without Python.
func easy(t testing.TB) string {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed (Debian package: python3)")
	}
	path, err := filepath.Abs("../../examples/policy/easy.py")
	require.NoError(t, err)
	return "exec:" + path
}

// startsAsEasy demands that the example starts each job when and where the policy easy does.
func startsAsEasy(t *testing.T, w *scheduler.Workload, nodes ...int) {
	s := program.System{Within: time.Minute, Stderr: os.Stderr}
	for _, passes := range central.Passes() {
		want, err := central.Run(t.Context(), w, grid(nodes...), central.Options{Policy: "easy", Passes: passes})
		require.NoError(t, err)
		got, err := runPasses(t.Context(), s, easy(t), passes, w, nodes...)
		require.NoError(t, err)
		require.Equal(t, want.Records, got.Records, passes)
	}
}

func TestExampleIsEasy(t *testing.T) {
	for _, nodes := range [][]int{{64}, {64, 30, 30, 7}} {
		w, err := generate.Parse("lublin:N=2000,nodes=64", 1)
		require.NoError(t, err)
		for i := range w.Jobs { // some estimates are too long, some too short, some exact
			j := &w.Jobs[i]
			j.SubmitMicros /= 4
			j.EstimateMicros = j.RunMicros * int64(1+i%4) / 2
		}
		startsAsEasy(t, w, nodes...)
		for i := range w.Jobs { // many jobs are submitted and end at the same time
			const coarse = 600 * scheduler.Second
			j := &w.Jobs[i]
			j.SubmitMicros, j.RunMicros = j.SubmitMicros/coarse*coarse, (j.RunMicros/coarse+1)*coarse
			j.EstimateMicros = j.RunMicros * int64(1+i%4)
		}
		startsAsEasy(t, w, nodes...)
	}
}

func TestExampleIsEasyOnKTH(t *testing.T) {
	folder := os.Getenv("CANVASS_DATA")
	if folder == "" {
		t.Skip("CANVASS_DATA names no folder with logs of the Parallel Workloads Archive")
	}
	w, _, err := swf.ReadFile(filepath.Join(folder, "KTH-SP2-1996-2.1-cln.swf.gz"), swf.Options{})
	require.NoError(t, err)
	for i := range w.Jobs {
		w.Jobs[i].EstimateMicros = w.Jobs[i].RequestMicros
	}
	startsAsEasy(t, w, 100)
}

// BenchmarkDecision measures a decision of a program that takes almost no time itself.
func BenchmarkDecision(b *testing.B) {
	binary, err := os.Executable()
	require.NoError(b, err)
	for _, size := range []string{"short", "long"} {
		b.Run(size+" queue", func(b *testing.B) {
			w, err := generate.Parse("lublin:N=10000,nodes=64", 1)
			require.NoError(b, err)
			for i := range w.Jobs {
				w.Jobs[i].EstimateMicros = w.Jobs[i].RunMicros
				if size == "short" {
					w.Jobs[i].SubmitMicros *= 4
				}
			}
			for b.Loop() {
				_, err := run(b.Context(), program.System{}, "exec:"+binary+" first-come", w, 64)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(2*len(w.Jobs)), "µs/decision")
		})
	}
}

package report_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// The oracle of this file reads nothing but the two tables of an export. It checks the schedule and
// computes the measures from their definitions.

// exported has the tables of some runs, a map from column to text for each line.
type exported struct{ rows, jobs []map[string]string }

// export runs cells and exports them.
func export(t *testing.T, workers int, runs []lab.Run) (rows, jobs []byte) {
	t.Helper()
	in := &lab.Lab{Commit: "test"}
	campaign := lab.Campaign{Lab: in, Rows: lab.NoRows(), Workers: workers}
	_, err := campaign.Do(context.Background(), runs)
	require.NoError(t, err)
	all := campaign.Rows.All() // in the order in which they ended
	for _, r := range all {
		r.ElapsedSeconds, r.PeakBytes = 0, 0
	}
	var a, b bytes.Buffer
	require.NoError(t, report.RowTable(&a, all))
	require.NoError(t, report.ExportJobs(context.Background(), in, all, workers, &b))
	return a.Bytes(), b.Bytes()
}

func table(t *testing.T, text []byte) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	var all []map[string]string
	for _, line := range lines[1:] {
		cells := map[string]string{}
		for i, name := range lines[0] {
			cells[name] = line[i]
		}
		all = append(all, cells)
	}
	return all
}

// ofUsers writes a small log with users and requested times.
func ofUsers(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	draw := rand.New(rand.NewPCG(1, 2))
	at := 0
	b.WriteString("; MaxProcs: 16\n")
	for i := range 150 {
		at += draw.IntN(100)
		run := draw.IntN(400) // some have none
		fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 -1 %d -1 1 %d %d -1 %d %d -1 -1\n", i+1, at, run, 1+draw.IntN(12),
			run+draw.IntN(600), 1+draw.IntN(5), 1+draw.IntN(2), draw.IntN(3), 1)
	}
	path := filepath.Join(t.TempDir(), "users.swf")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// exportedRuns are runs of all systems, with ties, trimming, excluded jobs and jobs that run for no
// time.
func exportedRuns(t *testing.T) []lab.Run {
	t.Helper()
	crowded := []string{"workload=lublin:N=150,nodes=32", "select=load:to=1.1,shake:30s", "estimate=exact"}
	users := []string{"workload=" + ofUsers(t), "zero-run=keep"}
	grid := []string{"workload=sharcnet-like:N=150", "select=compress:to=20m", "platform=uniform:3x16"}
	var runs []lab.Run
	add := func(base []string, more ...string) {
		for seed := range uint64(2) {
			runs = append(runs, lab.Run{Cell: lab.MustCell(base...).With(more...), Seed: seed + 1})
		}
	}
	for _, policy := range []string{"fcfs", "easy", "conservative", "sjf", "first-fit"} {
		add(crowded, "policy="+policy)
		add(users, "policy="+policy, "trim=5:5")
	}
	add(users, "policy=easy", "platform=pool:8", "passes=event", "trim=standard")
	add(crowded, "policy=easy", "platform=uniform:3x32")
	for _, policy := range []string{"static", "dlb", "qb+dlb"} {
		add(grid, "policy="+policy)
		add(grid, "policy="+policy, "clustering=overlap:6", "over-provisioning=1.5")
	}
	add(grid, "policy=qb+dlb", "between=5ms", "news=0s")
	return runs
}

func TestAnOracleFindsTheTablesRight(t *testing.T) {
	rows, jobs := export(t, 4, exportedRuns(t))
	x := exported{table(t, rows), table(t, jobs)}
	require.Len(t, x.rows, 2*19)
	counted := 0
	for _, row := range x.rows {
		run := slices.DeleteFunc(slices.Clone(x.jobs), func(j map[string]string) bool { return j["run"] != row["run"] })
		name := row["settings.policy"] + " " + row["settings.workload"] + " " + row["settings.clustering"]
		r := readRun(t, row, run)
		require.Empty(t, r.wrong(), name)
		for measure, want := range r.measures() {
			got, err := strconv.ParseFloat(row["summary."+measure], 64)
			require.NoError(t, err, "%s: %s is %q", name, measure, row["summary."+measure])
			assert.InDelta(t, want, got, 1e-9*max(1, math.Abs(want)), "%s: %s", name, measure)
			counted++
		}
	}
	assert.Greater(t, counted, 40*len(x.rows))
}

// The script of the documents is a second oracle.
func TestTheScriptFindsTheTablesRight(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	rows, jobs := export(t, 4, exportedRuns(t))
	folder := t.TempDir()
	check := func(jobs []byte) (string, error) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "rows.csv"), rows, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "jobs.csv"), jobs, 0o600))
		script := exec.Command(python, "../../docs/analysis/check.py", filepath.Join(folder, "rows.csv"),
			filepath.Join(folder, "jobs.csv"), "policy=easy", "mean_wait_seconds")
		out, err := script.CombinedOutput()
		return string(out), err
	}
	out, err := check(jobs)
	require.NoError(t, err, out)
	assert.Contains(t, out, "no node had two jobs at once")
	assert.Contains(t, out, "fcfs: mean_wait_seconds differs by ")
	out, err = check(bytes.Replace(jobs, []byte(",true,\n"), []byte(",false,\n"), 1))
	require.Error(t, err, "a job that is not counted changes a measure: %s", out)
}

// An oracle that finds nothing wrong with a wrong schedule would be of no use.
func TestAnOracleFindsADoubleBooking(t *testing.T) {
	_, jobs := export(t, 1, exportedRuns(t)[:1])
	row := map[string]string{"platform_nodes": "32", "seed": "1"}
	good := table(t, jobs)
	require.Empty(t, readRun(t, row, good).wrong())
	for name, spoil := range map[string]func(j map[string]string){
		"too few": func(j map[string]string) { j["nodes"] = "31" },
		"a node that the platform lacks": func(j map[string]string) {
			j["hosts"] = "32"
			j["nodes"] = "1"
		},
		"a job that ends later": func(j map[string]string) {
			j["end_micros"] += "0"
			j["run_micros"] = fmt.Sprint(number(t, j["end_micros"]) - number(t, j["start_micros"]))
		},
		"a job that runs shorter":       func(j map[string]string) { j["run_micros"] = "1" },
		"a job that starts beforehand":  func(j map[string]string) { j["submit_micros"] = j["end_micros"] },
		"another seed than that of row": func(j map[string]string) { j["seed"] = "2" },
	} {
		bad := table(t, jobs)
		spoil(bad[3])
		assert.NotEmpty(t, readRun(t, row, bad).wrong(), name)
	}
}

func TestTablesDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	runs := exportedRuns(t)
	rows, jobs := export(t, 1, runs)
	again, jobsAgain := export(t, 3, runs)
	assert.Equal(t, string(rows), string(again))
	assert.Equal(t, string(jobs), string(jobsAgain))
}

// ofRun is one run, as the tables have it.
type ofRun struct {
	nodes int64
	seed  string
	jobs  []ofJob
}

type ofJob struct {
	submit, start, end, run, nodes int64
	hosts                          []int64
	user                           int64
	seed                           string
	cluster                        string
	counted, excluded              bool
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

func readRun(t *testing.T, row map[string]string, lines []map[string]string) *ofRun {
	t.Helper()
	r := &ofRun{nodes: number(t, row["platform_nodes"]), seed: row["seed"]}
	for _, line := range lines {
		j := ofJob{
			submit: number(t, line["submit_micros"]), run: number(t, line["run_micros"]), nodes: number(t, line["nodes"]),
			user: number(t, line["user"]), seed: line["seed"], cluster: line["cluster"],
			counted: line["counted"] == "true", excluded: line["excluded"] != "",
		}
		if !j.excluded {
			j.start, j.end = number(t, line["start_micros"]), number(t, line["end_micros"])
		}
		for part := range strings.FieldsSeq(line["hosts"]) {
			first, last, ranged := strings.Cut(part, "-")
			if !ranged {
				last = first
			}
			for n := number(t, first); n <= number(t, last); n++ {
				j.hosts = append(j.hosts, n)
			}
		}
		r.jobs = append(r.jobs, j)
	}
	return r
}

// wrong describes the first thing that no schedule can have.
func (r *ofRun) wrong() string {
	onNode, clusterOf := map[int64][]ofJob{}, map[int64]string{}
	for i, j := range r.jobs {
		switch {
		case j.seed != r.seed:
			return fmt.Sprintf("job %d has seed %s", i, j.seed)
		case j.excluded && (len(j.hosts) > 0 || j.counted || j.cluster != ""):
			return fmt.Sprintf("job %d did not run and had nodes", i)
		case j.excluded:
			continue
		case int64(len(j.hosts)) != j.nodes:
			return fmt.Sprintf("job %d needs %d nodes and had %d", i, j.nodes, len(j.hosts))
		case j.start < j.submit || j.end-j.start != j.run:
			return fmt.Sprintf("job %d has times in another order", i)
		}
		for _, n := range j.hosts {
			if n < 0 || n >= r.nodes {
				return fmt.Sprintf("job %d had node %d of %d", i, n, r.nodes)
			}
			if c, known := clusterOf[n]; known && c != j.cluster {
				return fmt.Sprintf("node %d is in clusters %s and %s", n, c, j.cluster)
			}
			clusterOf[n] = j.cluster
			if j.start < j.end {
				onNode[n] = append(onNode[n], j)
			}
		}
	}
	before := ""
	finished := map[string]bool{} // clusters whose nodes are numbered before the present one
	for n := range r.nodes {
		c, used := clusterOf[n]
		if !used || c == before {
			continue
		}
		if finished[c] {
			return fmt.Sprintf("node %d of cluster %s is numbered after nodes of cluster %s", n, c, before)
		}
		finished[before], before = true, c
	}
	for n, jobs := range onNode {
		slices.SortFunc(jobs, func(a, b ofJob) int { return cmp.Compare(a.start, b.start) })
		for i := 1; i < len(jobs); i++ {
			if jobs[i].start < jobs[i-1].end {
				return fmt.Sprintf("node %d has two jobs at %d µs", n, jobs[i].start)
			}
		}
	}
	return ""
}

const micro = 1e-6

// measures computes the measures from their definitions in package metric.
func (r *ofRun) measures() map[string]float64 {
	all := map[string]float64{"submitted_jobs": float64(len(r.jobs))}
	var ran, counted []ofJob
	for _, j := range r.jobs {
		if !j.excluded {
			ran = append(ran, j)
		}
		if j.counted {
			counted = append(counted, j)
		}
	}
	all["done_jobs"], all["counted_jobs"] = float64(len(ran)), float64(len(counted))
	for name, value := range map[string]func(j ofJob) float64{
		"wait_seconds":     func(j ofJob) float64 { return float64(j.start-j.submit) * micro },
		"response_seconds": func(j ofJob) float64 { return float64(j.end-j.submit) * micro },
		"bsld":             func(j ofJob) float64 { return max(1, float64(j.end-j.submit)/max(1e7, float64(j.run))) },
		"sjackson":         func(j ofJob) float64 { return 1 + float64(j.start-j.submit)/max(1e7, float64(j.run)) },
		"bsld_per_processor": func(j ofJob) float64 {
			return max(1, float64(j.end-j.submit)/(float64(j.nodes)*max(1e7, float64(j.run))))
		},
	} {
		describeTo(all, name, counted, value)
	}
	r.usage(all, ran)
	sums, jobs := map[int64]float64{}, map[int64]float64{}
	for _, j := range counted {
		if j.user >= 0 {
			sums[j.user] += max(1, float64(j.end-j.submit)/max(1e7, float64(j.run)))
			jobs[j.user]++
		}
	}
	total, squares := 0.0, 0.0
	for user, sum := range sums {
		mean := sum / jobs[user]
		total, squares = total+mean, squares+mean*mean
	}
	all["users"] = float64(len(sums))
	if len(sums) > 0 {
		all["jain_users_bsld"] = total * total / (float64(len(sums)) * squares)
	}
	return all
}

// describeTo adds the statistics of a measure.
func describeTo(all map[string]float64, name string, jobs []ofJob, value func(j ofJob) float64) {
	var sorted []float64
	sum, weighted, areas := 0.0, 0.0, 0.0
	for _, j := range jobs {
		x, area := value(j), float64(j.nodes)*float64(j.run)
		sorted = append(sorted, x)
		sum, weighted, areas = sum+x, weighted+area*x, areas+area
	}
	slices.Sort(sorted)
	n := len(sorted)
	mean, squares := sum/float64(n), 0.0
	for _, x := range sorted {
		squares += (x - mean) * (x - mean)
	}
	rank := func(percent int) float64 { return sorted[int(math.Ceil(float64(percent*n)/100))-1] }
	all["mean_"+name], all["max_"+name], all["median_"+name] = mean, sorted[n-1], rank(50)
	all["p90_"+name], all["p95_"+name], all["p99_"+name] = rank(90), rank(95), rank(99)
	all["sd_"+name] = math.Sqrt(squares / float64(n-1))
	all["area_mean_"+name] = weighted / areas
}

// usage adds how the jobs that ran used the platform, by looking at each instant between events.
func (r *ofRun) usage(all map[string]float64, ran []ofJob) {
	first, end := ran[0].submit, int64(0)
	var work, waits float64
	times := []int64{}
	for _, j := range ran {
		end = max(end, j.end)
		work += float64(j.nodes) * float64(j.run)
		waits += float64(j.start - j.submit)
		times = append(times, j.submit, j.start, j.end)
	}
	makespan := float64(end - first)
	all["makespan_seconds"] = makespan * micro
	all["utilisation"] = work / (float64(r.nodes) * makespan)
	all["throughput_jobs_per_hour"] = float64(len(ran)) / (makespan * micro / 3600)
	all["mean_queue_jobs"] = waits / makespan
	slices.Sort(times)
	times = slices.Compact(times)
	idle, longest := 0.0, 0
	for i, now := range times {
		waiting, free := 0, r.nodes
		for _, j := range ran {
			if j.submit <= now && now < j.start {
				waiting++
			}
			if j.start <= now && now < j.end {
				free -= j.nodes
			}
		}
		longest = max(longest, waiting)
		if waiting > 0 && i+1 < len(times) {
			idle += float64(free) * float64(times[i+1]-now) * micro
		}
	}
	all["max_queue_jobs"], all["idle_while_waiting_node_seconds"] = float64(longest), idle
}

package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// schedule has the records of the jobs of one run, from a file or from a row that was run again.
type schedule struct {
	name     string // of its cell or file
	label    string // the same, with the seed if the cell has several
	source   string // of a file, for captions: its name and digest
	workload *scheduler.Workload
	platform *scheduler.Platform
	records  []scheduler.Record // by job
	guessed  bool               // the clusters of a file are as large as its jobs show
	trim     string

	hosts  func() ([]scheduler.NodeSet, error) // the nodes of each job, by record
	onWhat string                              // a sentence about these nodes
	firsts []int                               // the number of the first node, by cluster
}

// again runs the cell of a row again.
func again(in *lab.Lab, r *lab.Row, name, label string) (*schedule, error) {
	o, err := in.Again(context.Background(), r)
	if err != nil {
		return nil, err
	}
	if o.Workload == nil {
		return nil, lab.ErrNoJobs
	}
	s := &schedule{
		name: name, label: label, workload: o.Workload, platform: o.Platform, records: o.Records,
		trim: r.Settings.Get("trim"), onWhat: onFree,
		hosts: func() ([]scheduler.NodeSet, error) { return o.Hosts(context.Background()) },
	}
	if o.ChoosesNodes {
		s.onWhat = "A job is drawn on the nodes that it had."
	}
	s.number()
	return s, nil
}

// onFree is about the nodes of [scheduler.Allocate].
const onFree = "Nodes are only counted, and a job is drawn on the first free ones."

// number numbers the nodes through the clusters.
func (s *schedule) number() {
	first := 0
	for _, c := range s.platform.Clusters {
		s.firsts = append(s.firsts, first)
		first += c.Nodes
	}
}

// IsSchedule reports whether a name is that of a file of jobs rather than of rows.
func IsSchedule(path string) bool {
	kind, _ := Ending(path)
	return kind != ""
}

// readSchedule reads a file of jobs that canvass lab run --jobs-out has written, or another
// schedule in the Standard Workload Format.
func readSchedule(path string) (*schedule, error) {
	kind, _ := Ending(path)
	s := &schedule{name: filepath.Base(path), label: filepath.Base(path), guessed: true, trim: "none"}
	names := &clusterNames{index: map[string]int{}}
	var err error
	if kind == "csv" {
		err = s.readCSV(path, names)
	} else {
		err = s.readSWF(path, names)
	}
	if err != nil {
		return nil, err
	}
	if len(names.all) == 0 {
		return nil, usage.Errorf("%s: no job of it has started", path)
	}
	s.source = fmt.Sprintf("%s %s", s.workload.Name, s.workload.Digest)
	s.platform = &scheduler.Platform{Name: s.name}
	for i, n := range s.mostBusy(len(names.all)) {
		s.platform.Clusters = append(s.platform.Clusters, scheduler.Cluster{Name: names.all[i], Nodes: n})
	}
	if s.hosts != nil {
		return s, s.bound()
	}
	s.onWhat = onFree + " A cluster is as high as the most nodes that were busy at once."
	s.hosts = func() ([]scheduler.NodeSet, error) {
		return scheduler.Allocate(s.platform, s.workload.Jobs, s.records)
	}
	s.number()
	return s, nil
}

// bound makes each cluster reach from the lowest to the highest node that a job of it had.
func (s *schedule) bound() error {
	sets, err := s.hosts()
	if err != nil {
		return err
	}
	s.onWhat = "A job is drawn on its nodes in the file. A cluster has the nodes that occur."
	lasts := slices.Repeat([]int{-1}, len(s.platform.Clusters))
	s.firsts = slices.Repeat([]int{mostNodes}, len(s.platform.Clusters))
	for i, r := range s.records {
		if r.Excluded == "" {
			s.firsts[r.Cluster] = min(s.firsts[r.Cluster], sets[i][0].First)
			lasts[r.Cluster] = max(lasts[r.Cluster], sets[i][len(sets[i])-1].Last)
		}
	}
	for c := range lasts {
		s.platform.Clusters[c].Nodes = lasts[c] - s.firsts[c] + 1
	}
	return nil
}

// clusterNames numbers clusters in the order in which they occur.
type clusterNames struct {
	all   []string
	index map[string]int
}

func (n *clusterNames) number(name string) int {
	i, known := n.index[name]
	if !known {
		i = len(n.all)
		n.index[name] = i
		n.all = append(n.all, name)
	}
	return i
}

func (s *schedule) readSWF(path string, names *clusterNames) error {
	w, _, err := swf.ReadFile(path, swf.Verbatim())
	if err != nil {
		return usage.Errorf("%v", err)
	}
	s.workload = w
	var partitions []int64
	for _, j := range w.Jobs {
		if j.WaitMicros != scheduler.Unknown {
			partitions = append(partitions, j.Partition)
		}
	}
	slices.Sort(partitions)
	called := func(partition int64) string {
		if partition > 0 {
			return "partition " + decimal(partition)
		}
		return "all"
	}
	for _, p := range slices.Compact(partitions) {
		names.number(called(p))
	}
	for i, j := range w.Jobs {
		r := scheduler.Record{Job: i}
		r.Leave(scheduler.Excluded, "did not start")
		if j.WaitMicros != scheduler.Unknown {
			start := j.SubmitMicros + j.WaitMicros
			r = scheduler.Record{Job: i, StartMicros: start, EndMicros: start + j.RunMicros}
			r.Cluster = names.number(called(j.Partition))
		}
		s.records = append(s.records, r)
	}
	return nil
}

// scheduleColumns are the columns that a figure needs from a CSV file of jobs.
var scheduleColumns = []string{"number", "submit_micros", "start_micros", "end_micros", "nodes", "cluster", "excluded"}

func (s *schedule) readCSV(path string, names *clusterNames) error {
	plain, err := openFile(path)
	if err != nil {
		return fmt.Errorf("read a schedule: %w", err)
	}
	defer plain.Close()
	sum := sha256.New()
	in := csv.NewReader(io.TeeReader(plain, sum))
	head, err := in.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var at []int
	for _, c := range scheduleColumns {
		i := slices.Index(head, c)
		if i < 0 {
			return fmt.Errorf("%s: the first line must name the column %q, as in files of canvass lab run --jobs-out",
				path, c)
		}
		at = append(at, i)
	}
	hosts := slices.Index(head, "hosts") // older files lack it
	type line struct {
		job    scheduler.Job
		record scheduler.Record
		nodes  scheduler.NodeSet
	}
	var lines []line
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		job, record, err := jobOf(row, at, names)
		if err != nil {
			n, _ := in.FieldPos(0)
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		var nodes scheduler.NodeSet
		if hosts >= 0 && record.Excluded == "" {
			if nodes, err = scheduler.ParseNodeSet(row[hosts]); err == nil && nodes.Count() != job.Nodes {
				err = fmt.Errorf("hosts: %q names %d nodes, and the job has %d; correct the line", row[hosts],
					nodes.Count(), job.Nodes)
			}
			if err != nil {
				n, _ := in.FieldPos(hosts)
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
		lines = append(lines, line{job, record, nodes})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.job.SubmitMicros, b.job.SubmitMicros) })
	s.workload = &scheduler.Workload{Name: filepath.Base(path), Digest: hex.EncodeToString(sum.Sum(nil))[:16]}
	sets := make([]scheduler.NodeSet, len(lines))
	for i, l := range lines {
		l.record.Job = i
		s.workload.Jobs, s.records = append(s.workload.Jobs, l.job), append(s.records, l.record)
		sets[i] = l.nodes
	}
	if hosts >= 0 {
		s.hosts = func() ([]scheduler.NodeSet, error) { return sets, nil }
	}
	return nil
}

// jobOf reads a line of a CSV file. A job that was excluded has neither start nor end.
func jobOf(row []string, at []int, names *clusterNames) (j scheduler.Job, r scheduler.Record, err error) {
	numbers := make([]int64, 5)
	r.Excluded = row[at[6]]
	for i := range numbers {
		started := scheduleColumns[i] == "start_micros" || scheduleColumns[i] == "end_micros"
		if started && r.Excluded != "" {
			continue
		}
		if numbers[i], err = wholeNumber(scheduleColumns[i], row[at[i]], mostNumber); err != nil {
			return j, r, err
		}
	}
	switch {
	case numbers[4] < 1 || numbers[4] > mostNodes:
		return j, r, fmt.Errorf("nodes: %d is not from 1 to %d; correct the line", numbers[4], mostNodes)
	case r.Excluded == "" && (numbers[2] < numbers[1] || numbers[3] < numbers[2]):
		return j, r, errors.New("a job is submitted, then starts, then ends; the times of this one are in another order; " +
			"correct the line")
	}
	j = scheduler.Job{
		Number: numbers[0], SubmitMicros: numbers[1], RunMicros: numbers[3] - numbers[2], Nodes: int(numbers[4]),
	}
	if r.Excluded == "" {
		r.StartMicros, r.EndMicros, r.Cluster = numbers[2], numbers[3], names.number(row[at[5]])
	}
	return j, r, nil
}

// mostNodes bounds the nodes of a job in a file, and mostNumber any number of it, as in package
// swf.
const (
	mostNodes  = 1<<31 - 1
	mostNumber = 1 << 60
)

// wholeNumber reads a column of a CSV file.
func wholeNumber(column, text string, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s: %q is not a whole number; write digits alone, as in 1024", column, text)
	case err != nil || n < -most || n > most:
		return 0, fmt.Errorf("%s: %q is not from %d to %d; correct the line", column, text, -most, most)
	}
	return n, nil
}

// mostBusy is the most nodes of each cluster that jobs had at once.
func (s *schedule) mostBusy(clusters int) []int {
	busy, most := make([]int, clusters), make([]int, clusters)
	for _, e := range s.events() {
		busy[e.cluster] += e.busy
		most[e.cluster] = max(most[e.cluster], busy[e.cluster])
	}
	return most
}

// event is a job that starts or ends; or is submitted, which changes only the queue.
type event struct {
	micros        int64
	cluster       int
	busy, waiting int // its additions: nodes, jobs
}

// events lists starts and ends, in order of time. At equal times jobs end first and start last, but
// for jobs without a run time, which end after they have started.
func (s *schedule) events() []event {
	var all []event
	for i, r := range s.records {
		if r.Excluded != "" {
			continue
		}
		j := s.workload.Jobs[i]
		all = append(all, event{j.SubmitMicros, r.Cluster, 0, 1})
		if j.RunMicros == 0 {
			all = append(all, event{r.StartMicros, r.Cluster, 0, -1})
			continue
		}
		all = append(all, event{r.StartMicros, r.Cluster, j.Nodes, -1}, event{r.EndMicros, r.Cluster, -j.Nodes, 0})
	}
	slices.SortStableFunc(all, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.micros, b.micros), cmp.Compare(a.busy, b.busy), cmp.Compare(b.waiting, a.waiting))
	})
	return all
}

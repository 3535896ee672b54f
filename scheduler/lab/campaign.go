package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Run is a cell with a seed, for an experiment or for the user.
type Run struct {
	Experiment string
	Cell       Cell
	Seed       uint64
	Share      *Share // nil if the campaign is not shared out
}

// Progress says how far a campaign has come.
type Progress struct {
	Done, Of int
	Current  string // a run that has just ended
	Elapsed  time.Duration
}

// Campaign runs many cells, several at once. One run is never split.
type Campaign struct {
	Lab      *Lab
	Rows     *Rows // where rows go; runs whose rows are there are not run again
	Workers  int   // at least 1
	Progress func(Progress)
}

// Do runs what is not there yet. It returns the rows of all runs that have one, in the order of the
// runs. A run that cannot be made is an error at the end, when the others have run. The end of the
// context ends the campaign after the present runs, and the error is then that of the context.
// Finished runs are kept.
func (c *Campaign) Do(ctx context.Context, runs []Run) ([]*Row, error) {
	began, queue := time.Now(), make(chan Run)
	var lock sync.Mutex
	var failure error // that ends the campaign
	var failed []error
	done := 0
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	finish := func(r Run, row *Row, err error) {
		lock.Lock()
		defer lock.Unlock()
		if cell := (*CellError)(nil); errors.As(err, &cell) {
			failed = append(failed, err)
			return
		}
		if err == nil {
			row.Share = r.Share
			err = c.Rows.Add(row)
		}
		if err != nil {
			if failure == nil {
				failure = err
			}
			stop(err)
			return
		}
		done++
		if c.Progress != nil {
			c.Progress(Progress{done, len(runs), r.Cell.String(), time.Since(began)})
		}
	}
	if err := c.share(runs); err != nil {
		return nil, err
	}
	todo := c.todo(runs)
	done = len(runs) - len(todo)
	var working sync.WaitGroup
	for range max(1, c.Workers) {
		working.Go(func() {
			for r := range queue {
				o, err := c.Lab.Run(ctx, r.Experiment, r.Cell, r.Seed)
				if err != nil {
					finish(r, nil, describe(r, err))
					continue
				}
				finish(r, o.Row, nil)
			}
		})
	}
feeding:
	for _, r := range todo {
		select {
		case queue <- r:
		case <-ctx.Done():
			break feeding
		}
	}
	close(queue)
	working.Wait()
	if failure == nil {
		failure = ctx.Err()
	}
	if failure == nil {
		failure = together(failed, len(todo))
	}
	return c.rowsOf(runs), failure
}

// CellError is an error about one run of several. The others go on.
type CellError struct {
	Cell string
	Seed uint64
	Err  error
}

// Error names the cell.
func (e *CellError) Error() string {
	return fmt.Sprintf("run %s with seed %d: %v", e.Cell, e.Seed, e.Err)
}

// Unwrap returns the error without the cell.
func (e *CellError) Unwrap() error { return e.Err }

// together is the first of the errors, and says how many there are. If no run succeeded, and all
// for one reason, the cell is no news.
func together(failed []error, of int) error {
	if len(failed) == 0 {
		return nil
	}
	first := failed[0]
	same := !slices.ContainsFunc(failed, func(err error) bool {
		return errors.Unwrap(err).Error() != errors.Unwrap(first).Error()
	})
	switch {
	case len(failed) == of && same:
		return errors.Unwrap(first)
	case len(failed) == 1:
		return first
	}
	return fmt.Errorf("%d of %d runs failed; the first: %w", len(failed), of, first)
}

// describe adds the cell to an error, unless it is about the whole campaign.
func describe(r Run, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &CellError{r.Cell.String(), r.Seed, err}
}

// share notes that rows which are there already belong to this campaign.
func (c *Campaign) share(runs []Run) error {
	for _, r := range runs {
		row := c.Rows.byKey[key(r.Experiment, r.Cell, r.Seed)]
		if row == nil || r.Share == nil || row.Share != nil {
			continue
		}
		again := *row
		again.Share = r.Share
		if err := c.Rows.Add(&again); err != nil {
			return err
		}
	}
	return nil
}

// todo lists the runs without a row that has all formulas, each once.
func (c *Campaign) todo(runs []Run) []Run {
	var all []Run
	listed := map[string]bool{}
	for _, r := range runs {
		k := key(r.Experiment, r.Cell, r.Seed)
		if listed[k] || c.Rows.Has(r.Experiment, r.Cell, r.Seed) && !c.Rows.byKey[k].lacks(c.Lab.Formulas) {
			continue
		}
		listed[k] = true
		all = append(all, r)
	}
	return all
}

func (c *Campaign) rowsOf(runs []Run) []*Row {
	var rows []*Row
	for _, r := range runs {
		if row := c.Rows.byKey[key(r.Experiment, r.Cell, r.Seed)]; row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// mostRuns bounds a campaign: its rows are kept in memory, some ten kilobytes each.
const mostRuns = 20_000

// Product lists the runs of all cells with all combinations of values, in the order in which the
// settings and their values are given. A cell that occurs again is left out. The seeds vary
// fastest.
func Product(bases []Cell, over []Values, seeds []uint64) ([]Run, error) {
	cells, n := bases, len(bases)*len(seeds)
	for _, v := range over {
		if n *= len(v.Values); n > mostRuns {
			return nil, usage.Errorf("these settings make more than %d runs; vary fewer", mostRuns)
		}
		var next []Cell
		for _, cell := range cells {
			for _, value := range v.Values {
				if err := cell.Set(v.Name, value); err != nil {
					return nil, err
				}
				next = append(next, cell)
			}
		}
		cells = next
	}
	var runs []Run
	listed := map[string]bool{}
	for _, cell := range cells {
		k := key("", cell, 0)
		if listed[k] {
			continue
		}
		listed[k] = true
		for _, seed := range seeds {
			runs = append(runs, Run{Cell: cell, Seed: seed})
		}
	}
	return runs, nil
}

// Values are the values that a sweep gives to a setting.
type Values struct {
	Name   string
	Values []string
}

// ParseValues reads "policy=easy,fcfs". A value with commas in it is written with semicolons
// between the values: "workload=lublin:N=100,nodes=8;lublin:N=200,nodes=8".
func ParseValues(text string) (Values, error) {
	name, list, found := strings.Cut(text, "=")
	separator := ","
	if strings.Contains(list, ";") || strings.ContainsAny(list, ":") && strings.Contains(list, "=") {
		separator = ";"
	}
	v := Values{name, strings.Split(list, separator)}
	if separator == ";" && len(v.Values) == 1 && strings.Contains(list, ","+firstWord(list)) {
		return v, usage.Errorf("%q is one value; write semicolons between values that have commas or colons "+
			"in them: %s=%s", text, name, strings.ReplaceAll(list, ","+firstWord(list), ";"+firstWord(list)))
	}
	if !found || name == "" || list == "" {
		return v, usage.Errorf("%q: write NAME=VALUE,VALUE: policy=fcfs,easy", text)
	}
	var cell Cell
	return v, cell.Set(name, v.Values[0])
}

// firstWord is the beginning of a value up to its first colon: "load:" of "load:to=0.9".
func firstWord(value string) string {
	word, _, _ := strings.Cut(value, ":")
	return word + ":"
}

// Seeds reads "20", the seeds from 1 to 20, or "3..7".
func Seeds(text string) ([]uint64, error) {
	first, last, ranged := strings.Cut(text, "..")
	if !ranged {
		first, last = "1", text
	}
	a, errA := strconv.ParseUint(first, 10, 64)
	b, errB := strconv.ParseUint(last, 10, 64)
	if errA != nil || errB != nil || b < a || b-a >= mostRuns {
		return nil, usage.Errorf("seeds %q: write how many (20), or the first and the last (3..7)", text)
	}
	var all []uint64
	for seed := a; seed <= b; seed++ {
		all = append(all, seed)
	}
	return all, nil
}

// Shard keeps the share i of n of the runs, counted from 1, for "i/n"; all of them for "".
func Shard(runs []Run, text string) ([]Run, error) {
	if text == "" {
		return runs, nil
	}
	first, second, _ := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if errI != nil || errN != nil || i < 1 || n < i {
		return nil, usage.Errorf("shard %q is no share; write I/N with I from 1 to N: 2/8", text)
	}
	campaign := sha256.New()
	for _, r := range runs {
		fmt.Fprintln(campaign, key(r.Experiment, r.Cell, r.Seed))
	}
	digest := hex.EncodeToString(campaign.Sum(nil))[:16]
	var share []Run
	for at := i - 1; at < len(runs); at += n {
		r := runs[at]
		r.Share = &Share{Campaign: digest, Run: at, Runs: len(runs), Shard: i, Shards: n}
		share = append(share, r)
	}
	return share, nil
}

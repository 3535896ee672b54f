package metric_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// asked is fiveJobs with requested times; one of them is unknown, and one is 0.
func asked() (*scheduler.Workload, *scheduler.Platform, []scheduler.Record) {
	w, p, records := fiveJobs()
	for i, requested := range []int64{200, 0, 40, scheduler.Unknown, 4000} {
		if requested > 0 {
			requested *= scheduler.Second
		}
		w.Jobs[i].RequestMicros = requested
		w.Jobs[i].EstimateMicros = scheduler.Unknown
	}
	return w, p, records
}

// Waits are 0, 0, 80, 40, 20; sizes 4, 2, 3, 1, 1; run times 100, 4, 20, 5, 1000; users 1, 2, 1, 2,
// 3.
func TestFormulasByHand(t *testing.T) {
	w, p, records := asked()
	for text, want := range map[string]float64{
		"mean(wait)":                               28,
		"median(wait)":                             20,
		"p40(wait)":                                0,
		"p41(wait)":                                20,
		"p80(wait)":                                40,
		"p80.001(wait)":                            80,
		"p100(wait)":                               80,
		"p0(wait)":                                 0,
		"max(wait)":                                80,
		"min(run)":                                 4,
		"sum(area)":                                1473,
		"sd(wait)":                                 math.Sqrt(1120),
		"count()":                                  5,
		"count(wait > 0)":                          3,
		"share(wait > 0)":                          0.6,
		"share(not wait > 0)":                      0.4,
		"share(wait > 0 and nodes == 1)":           0.4,
		"share(wait == 0 or nodes == 3)":           0.6,
		"share(wait != 0 or 1 < 2)":                1,
		"p99(wait/requested)":                      2,
		"sum(wait/requested)":                      2.005,
		"count(requested >= 0)":                    4,
		"count(requested >= 0 or nodes >= 1)":      5,
		"count(nodes >= 1 or 1/wait > 0)":          5,
		"count(not (1/wait > 0 and nodes < 1))":    5,
		"count(1/wait > 0 and nodes >= 1)":         3,
		"count(where 1/wait > 0 or nodes >= 1)":    5,
		"share(requested > 0)":                     0.75,
		"mean(wait where nodes == 1)":              30,
		"count(where nodes == 1)":                  2,
		"mean(wait where nodes == 1)/mean(wait)":   30.0 / 28,
		"mean(wait where requested > 100)":         10,
		"sum(wait where nodes > 9)":                0,
		"mean(max(1, response/max(run, 10)))":      (1 + 1 + 5 + 4.5 + 1.02) / 5,
		"mean(bsld)":                               (1 + 1 + 5 + 4.5 + 1.02) / 5,
		"exp(mean(log(nodes)))":                    math.Pow(24, 0.2),
		"-min(run - 2*wait)":                       140,
		"2 + 3*4 - 10/4":                           11.5,
		"share(wait > 2*mean(wait))":               0.2,
		"max(1, 2, count())":                       5,
		"mean(wait where user == 1)":               40,
		"mean(cluster)":                            1.6,
		"max(submit)+max(start) - max(end)":        40 + 100 - 1060,
		"  mean (\twait )  ":                       28,
		"mean(min(wait, 10)*(nodes + 1) - -1)":     (1.0 + 1 + 41 + 21 + 21) / 5,
		"share(wait >= 20 and not (nodes > 1))":    0.4,
		"share((wait >= 20 or run < 5) and 1 > 0)": 0.8,
	} {
		f, err := metric.ParseFormula(text)
		require.NoError(t, err, text)
		got, err := f.Of(w, p, records, metric.Options{})
		require.NoError(t, err, text)
		assert.InDelta(t, want, got, 1e-12, text)
		again, err := metric.ParseFormula(f.String())
		require.NoError(t, err, "%s is written %s", text, f)
		assert.Equal(t, f.String(), again.String())
		got, err = again.Of(w, p, records, metric.Options{})
		require.NoError(t, err)
		assert.InDelta(t, want, got, 1e-12, "%s is written %s", text, f)
	}
}

func TestFormulasCountTheJobsThatAreCounted(t *testing.T) {
	w, p, records := asked()
	records[4].Excluded = "too large"
	for trim, want := range map[string]float64{"none": 4, "50:0": 2} {
		f, err := metric.ParseFormula("count()")
		require.NoError(t, err)
		got, err := f.Of(w, p, records, metric.Options{Trim: trim})
		require.NoError(t, err)
		assert.InDelta(t, want, got, 0, trim)
	}
}

func TestFormulasWithoutAValueAreUndefined(t *testing.T) {
	w, p, records := asked()
	for _, text := range []string{
		"mean(estimate)", "p50(wait where nodes > 9)", "mean(wait)/0", "log(0 - mean(wait))", "exp(10000)*1",
		"share(estimate > 1)", "max(wait where estimate > 0)", "sd(estimate)",
		"sd(wait where run > 900)", "log(0)*1", "max(log(wait*0))",
	} {
		f, err := metric.ParseFormula(text)
		require.NoError(t, err, text)
		got, err := f.Of(w, p, records, metric.Options{})
		require.NoError(t, err, text)
		assert.True(t, math.IsNaN(got), "%s is %g", text, got)
	}
}

// A formula of jobs is a measure whose distribution can be drawn.
func TestFormulasOfJobsAreMeasures(t *testing.T) {
	w, p, records := asked()
	got, err := metric.Values(w, p, records, "wait/requested", metric.Options{})
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 2, 0.005}, got, "the unknown ones are left out")
	for text, problem := range map[string]string{
		"wait/estimate": "no job has a value for it",
		"mean(wait)":    "it needs a value for each job",
		"wait/":         "column 6: the formula ends too early",
	} {
		_, err := metric.Values(w, p, records, text, metric.Options{})
		assert.ErrorContains(t, err, problem)
	}
	f, err := metric.ParseFormula("wait/run")
	require.NoError(t, err)
	assert.True(t, f.OfJobs())
	_, err = f.Of(w, p, records, metric.Options{})
	assert.ErrorContains(t, err, "use a statistic of it, such as mean(wait/run)")
	assert.False(t, metric.IsFormula("mean_wait_seconds"))
	assert.True(t, metric.IsFormula("mean(wait)"))
}

func TestErrorsOfFormulasNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "column 1: the formula ends too early",
		"p99(wait/reqested)":        `column 10: no field of a job is called "reqested"; did you mean "requested"?`,
		"men(wait)":                 `column 1: no function is called "men"; did you mean "mean" or`,
		"p101(wait)":                `column 1: no function is called "p101"`,
		"p99.1234(wait)":            `column 1: no function is called "p99.1234"`,
		"mean(wait":                 "column 5: this parenthesis is not closed",
		"(mean(wait)":               "column 1: this parenthesis is not closed",
		"mean(wait))":               `column 11: ")" does not belong here; no parenthesis is open`,
		"mean(wait) mean(run)":      `column 12: "mean" does not belong here; write an operator before it`,
		"mean(wait, run)":           "column 1: mean takes one argument, not 2",
		"mean()":                    "column 1: mean takes an argument, as in mean(wait)",
		"mean(wait,)":               "column 11: an argument is missing after the comma",
		"mean(wait > 3)":            "column 11: mean takes numbers, but this is a condition",
		"share(wait)":               "column 7: share takes conditions, but this is a number; compare it",
		"mean(wait) > 3":            "column 1: it is a condition, not a number",
		"wait > 3":                  "column 1: it is a condition; share(wait > 3) is the share of jobs",
		"share(1 < wait < 3)":       "column 16: comparisons cannot be chained; write a < b and b < c",
		"share(wait > 3 && run>1)":  `column 16: "&&" does not belong here; write and`,
		"share(wait = 3)":           `column 12: "=" does not belong here; write ==`,
		"share(! wait > 3)":         `column 7: "!" is not a number, a field or a function`,
		"share(wait > 3 and run)":   "column 20: and takes conditions, but this is a number",
		"mean(wait) where run > 3":  `column 12: "where" does not belong here; write it within the parentheses`,
		"mean(wait where run)":      "column 17: where takes conditions, but this is a number",
		"mean(log(wait where 1>0))": "column 6: log is a function of one job, and only statistics have a where",
		"mean(3)":                   "column 6: mean takes a value for each job, but this is one for the run",
		"mean(mean(wait))":          "column 6: mean takes a value for each job, but this is one for the run",
		"mean(wait % 3)":            `column 11: "%" has no meaning in a formula`,
		"mean(wait)·2":              `column 11: "·" has no meaning in a formula`,
		"mean(1.2.3)":               `column 6: "1.2.3" is not a number`,
		"mean(wait) + ":             "column 14: the formula ends too early",
		"wait, run":                 `column 5: "," does not belong here; only functions have several arguments`,
		"1 + not 2":                 `column 5: "not" is not a number`,
		"log(1, 2)":                 "column 1: log takes one argument, not 2",
	} {
		_, err := metric.ParseFormula(text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want, text)
		assert.Contains(t, err.Error(), fmt.Sprintf("metric %q", text))
	}
	long := make([]byte, 1001)
	_, err := metric.ParseFormula(string(long))
	require.ErrorContains(t, err, "it has 1001 bytes; shorten it to 1000")
	deep := ""
	for range 300 {
		deep += "("
	}
	_, err = metric.ParseFormula(deep + "1")
	require.ErrorContains(t, err, "nested too deeply")
}

func TestFormulasHaveARange(t *testing.T) {
	for text, want := range map[string]metric.Range{
		"mean(wait)": metric.AtLeast0, "p99(bsld)": metric.AtLeast1, "share(wait > 3)": metric.Share,
		"mean(log(bsld))": metric.AnyNumber, "exp(mean(log(bsld)))": metric.AtLeast0, "count() + 3": {3, math.Inf(1)},
		"1 - share(run > 9)": metric.Share, "mean(wait) - mean(run)": metric.AnyNumber,
		"mean(max(1, wait/run))": metric.AtLeast1, "-share(run > 9)": {-1, 0}, "sum(wait - run)": metric.AnyNumber,
		"min(2, count(), 7)": {0, 2}, "sum(wait)/count()": metric.AtLeast0, "mean_wait_seconds": metric.AtLeast0,
	} {
		assert.Equal(t, want, metric.RangeOf(text), text)
	}
}

// Formulas agree with the summary of the same run, and with each other.
func TestFormulasAgreeWithSummaries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, p := drawRun(t)
		w, records := made(jobs...)
		s, err := metric.Summarise(w, p, records, metric.Options{})
		if errors.Is(err, metric.ErrNoJobs) {
			return
		}
		require.NoError(t, err)
		of := func(text string) float64 {
			f, err := metric.ParseFormula(text)
			require.NoError(t, err)
			v, err := f.Of(w, p, records, metric.Options{})
			require.NoError(t, err)
			return v
		}
		for text, want := range map[string]float64{
			"mean(wait)": s.Wait.Mean, "median(wait)": s.Wait.Median, "p90(wait)": s.Wait.P90, "p95(wait)": s.Wait.P95,
			"p99(wait)": s.Wait.P99, "max(wait)": s.Wait.Max, "sd(wait)": s.Wait.SD,
			"sum(wait*area)/sum(area)":                                   s.Wait.AreaMean,
			"mean(response)":                                             s.Response.Mean,
			"p99(bsld)":                                                  s.BoundedSlowdown.P99,
			"mean(max(1, response/max(run, 10)))":                        s.BoundedSlowdown.Mean,
			"mean(1 + wait/max(run, 10))":                                s.JacksonSlowdown.Mean,
			"mean(max(1, response/(nodes*max(run, 10))))":                s.PerProcessorSlowdown.Mean,
			"max(end) - min(submit)":                                     s.Makespan,
			"sum(wait)/(max(end) - min(submit))":                         s.MeanQueue,
			"count()":                                                    float64(s.Counted),
			"share(wait > 5) + share(not wait > 5)":                      1,
			"mean(wait)*count() - sum(wait)":                             0,
			"count(where nodes > 2) + count(where nodes <= 2) - count()": 0,
		} {
			got := of(text)
			if possible := metric.RangeOf(text); !math.IsNaN(got) {
				assert.True(t, possible.Low <= got+1e-9 && got <= possible.High+1e-9, "%s is %g, out of %v", text, got, possible)
			}
			if !math.IsNaN(got) { // no job has an area, all take no time, or one has no deviation
				assert.InDelta(t, want, got, 1e-9*max(1, math.Abs(want)), text)
			}
		}
	})
}

// A formula is written so that it reads back as the same.
func FuzzParseFormula(f *testing.F) {
	for _, text := range []string{
		"p99(wait/requested)", "mean(wait where nodes >= 64)/mean(wait)", "share(not (wait > 1 and run < 2) or 1 == 1)",
		"-(1 - (2 - 3))*max(wait, .5, p99.9(run))", "count()", "((", "p1.5(", "a where", "1..", "not not 1 < 2",
	} {
		f.Add(text)
	}
	w, p, records := asked()
	f.Fuzz(func(t *testing.T, text string) {
		first, err := metric.ParseFormula(text)
		if err != nil || len(first.String()) > 1000 {
			return
		}
		second, err := metric.ParseFormula(first.String())
		require.NoError(t, err, "%q is written %q", text, first)
		require.Equal(t, first.String(), second.String())
		if first.OfJobs() {
			return
		}
		a, err := first.Of(w, p, records, metric.Options{})
		require.NoError(t, err)
		b, err := second.Of(w, p, records, metric.Options{})
		require.NoError(t, err)
		require.True(t, a == b || math.IsNaN(a) && math.IsNaN(b), "%q is %g, and written %q it is %g", text, a, second, b)
	})
}

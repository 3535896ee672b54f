package generate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/generate"
)

func parse(t *testing.T, text string, seed uint64) *scheduler.Workload {
	t.Helper()
	w, err := generate.Parse(text, seed)
	require.NoError(t, err)
	return w
}

// first shows the first jobs: number, submission and run time in microseconds, nodes, queue.
func first(w *scheduler.Workload, n int) string {
	var lines strings.Builder
	for _, j := range w.Jobs[:n] {
		fmt.Fprintln(&lines, j.Number, j.SubmitMicros, j.RunMicros, j.Nodes, j.Queue)
	}
	return lines.String()
}

func TestNamesAreCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"lublin":                                "lublin:N=10000,nodes=256,classes=1",
		"lublin:classes=2,N=50":                 "lublin:N=50,nodes=256,classes=2",
		"lublin:N=5e1":                          "lublin:N=50,nodes=256,classes=1",
		"sharcnet-like:N=20,scale=.080":         "sharcnet-like:N=20,scale=0.08,span=643",
		"sharcnet-like:N=20,serial=0":           "sharcnet-like:N=20,scale=0.3,span=643",
		"sharcnet-like:serial=.5,N=20":          "sharcnet-like:N=20,scale=0.3,span=643,serial=0.5",
		"poisson:N=9,service=hyper,rate=1":      "poisson:N=9,rate=1,service=hyper,mean=1,nodes=1",
		"poisson:N=9,mean=200,nodes=4,rate=0.5": "poisson:N=9,rate=0.5,service=exp,mean=200,nodes=4",
	} {
		w := parse(t, text, 3)
		assert.Equal(t, want, w.Name)
		assert.Equal(t, w, parse(t, w.Name, 3))
		assert.Regexp(t, "^[0-9a-f]{16}$", w.Digest)
		assert.NotEqual(t, w.Digest, parse(t, text, 4).Digest)
		assert.NotEqual(t, first(w, 9), first(parse(t, text, 4), 9))
	}
	var names []string
	for _, n := range generate.Named() {
		names = append(names, n.Name)
		assert.True(t, strings.HasSuffix(n.Sentence, "."))
	}
	assert.Equal(t, []string{
		"lublin:N=10000,nodes=256,classes=1", "sharcnet-like:N=1000,scale=0.3,span=643",
		"poisson:N=100000,rate=0.5,service=exp,mean=1,nodes=1",
		"dags:N=200,nodes=64,tasks=10,mean=600,load=0.9",
	}, names)
}

func TestSettingsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"lublin:N=0":              "lublin: N=0, want a whole number from 1 to 10000000",
		"lublin:N=10000001":       "lublin: N=10000001, want a whole number from 1 to 10000000",
		"lublin:N=2.5":            "lublin: N=2.5, want a whole number from 1 to 10000000",
		"lublin:N=NaN":            "lublin: N=NaN, want a whole number from 1 to 10000000",
		"lublin:N=x":              "lublin: N=x, want a whole number from 1 to 10000000",
		"lublin:N":                "lublin: N=, want a whole number from 1 to 10000000",
		"lublin:nodes=15":         "lublin: nodes=15, want a whole number from 16 to 1048576",
		"lublin:classes=3":        "lublin: classes=3, want a whole number from 1 to 2",
		"lublin:classes=-1":       "lublin: classes=-1, want a whole number from 1 to 2",
		"lublin:nodes=31,N=1,N=2": "lublin: N=2, want each setting once",
		"lublin:nodes=31,classes=2": "lublin: nodes=31, " +
			"want at least 32 with classes=2",
		"sharcnet-like:scale=0":  "sharcnet-like: scale=0, want a number from 0.001 to 1000",
		"sharcnet-like:scale=-1": "sharcnet-like: scale=-1, want a number from 0.001 to 1000",
		"poisson:rate=1e999":     "poisson: rate=1e999, want a number from 0.0001 to 10000",
		"poisson:service=gauss":  "poisson: service=gauss, want exp or det or hyper",
	} {
		_, err := generate.Parse(text, 1)
		var refused *generate.SettingError
		require.ErrorAs(t, err, &refused, text)
		assert.EqualError(t, err, want)
	}
	for text, want := range map[string]string{
		"lubin:N=3":                 `there is no generator "lubin"; did you mean "lublin"?`,
		"burkimsher":                `there is no generator "burkimsher"; choose one of lublin, sharcnet-like, poisson, dags`,
		"lublin:node=3":             `there is no setting of lublin "node"; did you mean "nodes"?`,
		"lublin:":                   `there is no setting of lublin ""; choose one of N, nodes, classes`,
		"lublin:N=3,":               `there is no setting of lublin ""; choose one of N, nodes, classes`,
		"poisson:servce=exp,rate=x": `there is no setting of poisson "servce"; did you mean "service"?`,
	} {
		_, err := generate.Parse(text, 1)
		var unknown *generate.UnknownError
		require.ErrorAs(t, err, &unknown, text)
		assert.EqualError(t, err, want)
	}
}

// For all settings, jobs are sorted, fit the machine, and have the modelled values.
func TestWorkloadsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(32, 5000).Draw(t, "nodes")
		n := rapid.IntRange(1, 300).Draw(t, "N")
		text := rapid.SampledFrom([]string{
			fmt.Sprintf("lublin:N=%d,nodes=%d", n, nodes),
			fmt.Sprintf("lublin:N=%d,nodes=%d,classes=2", n, nodes),
			fmt.Sprintf("sharcnet-like:N=%d,span=%d", n, nodes),
			fmt.Sprintf("poisson:N=%d,nodes=%d,service=hyper", n, nodes),
		}).Draw(t, "text")
		w, err := generate.Parse(text, rapid.Uint64().Draw(t, "seed"))
		require.NoError(t, err)
		require.Len(t, w.Jobs, n)
		for i, j := range w.Jobs {
			require.Equal(t, int64(i)+1, j.Number)
			require.True(t, j.Nodes >= 1 && j.Nodes <= w.Nodes)
			require.True(t, j.SubmitMicros >= 0 && j.RunMicros >= 0)
			require.Equal(t, int64(1), j.Status)
			for _, unknown := range []int64{
				j.User, j.Group, j.Executable, j.Partition, j.RequestMicros, j.EstimateMicros, j.WaitMicros,
			} {
				require.Equal(t, int64(scheduler.Unknown), unknown)
			}
		}
		require.Zero(t, w.Sort())
	})
}

func TestFirstJobsDoNotDependOnN(t *testing.T) {
	for _, settings := range []string{"lublin:nodes=64,classes=2", "lublin:nodes=64", "poisson:service=hyper"} {
		few, many := parse(t, settings+",N=100", 5), parse(t, settings+",N=300", 5)
		assert.Equal(t, few.Jobs, many.Jobs[:100])
	}
}

// A machine whose number of nodes is no power of two has no job that is larger than it is.
func TestLublinCutsSizesToTheMachine(t *testing.T) {
	w := parse(t, "lublin:N=5000,nodes=96", 1)
	largest := 0
	for _, j := range w.Jobs {
		largest = max(largest, j.Nodes)
	}
	assert.Equal(t, 96, largest)
}

func TestLublinMoments(t *testing.T) {
	w := parse(t, "lublin:N=50000,nodes=128", 11)
	n := float64(len(w.Jobs))
	serial, powers, logRun, want := 0.0, 0.0, 0.0, 0.0
	for _, j := range w.Jobs {
		if j.Nodes == 1 {
			serial++
		}
		if j.Nodes&(j.Nodes-1) == 0 {
			powers++
		}
		logRun += math.Log(float64(j.RunMicros) / 1e6)
		p := min(1, max(0, -0.0054*float64(j.Nodes)+0.78))
		want += p*4.2*0.94 + (1-p)*312*0.03
	}
	assert.InDelta(t, 0.244, serial/n, 4*math.Sqrt(0.244*0.756/n))
	assert.GreaterOrEqual(t, powers/n, 0.244+0.576-0.01)
	// The limit of 12 takes about 0.015 off the mean of the first distribution.
	assert.InDelta(t, want/n-0.01, logRun/n, 0.03)

	// Weights average 1, so the long-run rate is that of the times that were drawn.
	assert.InEpsilon(t, meanBetween(10.2303*1.0225, 0.4871), float64(w.SpanMicros())/1e6/n, 0.08)
}

// meanBetween is the mean of e^x for gamma variates x of at most 13. The density times e^x is that
// of another gamma distribution, up to a factor.
func meanBetween(shape, scale float64) float64 {
	below := func(scale float64) float64 { return distuv.Gamma{Alpha: shape, Beta: 1 / scale}.CDF(13) }
	return math.Pow(1-scale, -shape) * below(scale/(1-scale)) / below(scale)
}

func TestTwoClassesHaveTheirShares(t *testing.T) {
	w := parse(t, "lublin:N=50000,nodes=128,classes=2", 11)
	count, serial, largest := [2]float64{}, [2]float64{}, [2]int{}
	for _, j := range w.Jobs {
		count[j.Queue]++
		largest[j.Queue] = max(largest[j.Queue], j.Nodes)
		if j.Nodes == 1 {
			serial[j.Queue]++
		}
	}
	assert.InDelta(t, 0.1541, serial[0]/count[0], 0.01)
	assert.InDelta(t, 0.2927, serial[1]/count[1], 0.01)
	assert.Equal(t, [2]int{45, 128}, largest) // 45 is 2^5.5
	ratio := meanBetween(6.0415*1.0519, 0.8531) / meanBetween(6.5510*0.9797, 0.6621)
	assert.InEpsilon(t, ratio, count[0]/count[1], 0.1)
}

func TestSharcnetLikeHasTheShapeOfTheBurst(t *testing.T) {
	w := parse(t, "sharcnet-like:N=100000", 2)
	n := float64(len(w.Jobs))
	large, cell, largest := 0.0, 0.0, 0
	for _, j := range w.Jobs {
		require.GreaterOrEqual(t, j.Nodes, 2)
		largest = max(largest, j.Nodes)
		if j.Nodes > 64 {
			large++
		}
		if j.Nodes <= 3 && j.RunMicros >= 32*scheduler.Second && j.RunMicros < 64*scheduler.Second {
			cell++
		}
	}
	assert.InDelta(t, 0.007, large/n, 0.001)
	assert.Greater(t, cell/n, 0.05)
	assert.Less(t, cell/n, 0.09)
	assert.LessOrEqual(t, largest, 765)
	assert.Greater(t, largest, 700)
	assert.Less(t, w.Jobs[len(w.Jobs)-1].SubmitMicros, 643*scheduler.Second)
	assert.Greater(t, w.SpanMicros(), 642*scheduler.Second)
	assert.Equal(t, 2091, w.Nodes)

	longer := parse(t, "sharcnet-like:N=100000,scale=0.6", 2)
	median := func(w *scheduler.Workload) (count int) {
		for _, j := range w.Jobs {
			if j.RunMicros > 100*scheduler.Second {
				count++
			}
		}
		return count
	}
	assert.Greater(t, median(longer), median(w)+1000)
}

// Serial jobs take the place of parallel ones. The others stay as they are.
func TestSharcnetLikeWithSerialJobs(t *testing.T) {
	parallel, mixed := parse(t, "sharcnet-like:N=50000", 2), parse(t, "sharcnet-like:N=50000,serial=0.86", 2)
	serial := 0
	for i, j := range mixed.Jobs {
		if j.Nodes == 1 {
			serial++
			continue
		}
		require.Equal(t, parallel.Jobs[i].Nodes, j.Nodes)
		require.Equal(t, parallel.Jobs[i].SubmitMicros, j.SubmitMicros)
	}
	assert.InDelta(t, 0.86, float64(serial)/50_000, 0.005)
}

func TestPoissonMoments(t *testing.T) {
	for service, squared := range map[string]float64{"exp": 1, "det": 0, "hyper": 4} {
		w := parse(t, "poisson:N=200000,rate=2,mean=5,nodes=8,service="+service, 9)
		n := float64(len(w.Jobs))
		sum, squares := 0.0, 0.0
		for _, j := range w.Jobs {
			require.Equal(t, 1, j.Nodes)
			x := float64(j.RunMicros) / 1e6
			sum += x
			squares += x * x
		}
		mean := sum / n
		assert.InDelta(t, 5, mean, 4*5*math.Sqrt(squared/n)+1e-9, service)
		assert.InDelta(t, squared, (squares/n-mean*mean)/(mean*mean), 0.15, service)
		assert.InEpsilon(t, 0.5, float64(w.SpanMicros())/1e6/n, 0.01, service)
		assert.Equal(t, 8, w.Nodes)
	}
}

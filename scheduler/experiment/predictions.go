package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// chapter5 is where the claims about predictions are from.
const chapter5 = "Jackson (2015), section 5.2; the tree is our interpretation of DTM"

// predictions are the cells of all methods on all inputs.
func predictions(methods, inputs []string) (all []lab.Cell) {
	for _, input := range inputs {
		for _, m := range methods {
			all = append(all, lab.MustCell("predict="+m+" of "+input))
		}
	}
	return all
}

// sharcnetLatency is the input of a size: the whole grid at measured sites, or, so that it runs
// anywhere, a fifth of it at made-up sites.
func sharcnetLatency(size string) string {
	if size == "ci" {
		return sharcnetName + ":sites=plane,every=5"
	}
	return sharcnetName
}

const (
	sharcnetName  = "sharcnet-latency"
	umiacsName    = "umiacs-like"
	planetlabName = "planetlab"
)

// roundsInDepartment is about the rounds of Vivaldi on a department.
func roundsInDepartment() *Experiment {
	rounds := doubled(4_000, 1_024_000)
	return &Experiment{
		Name: "jackson/t5.1", Chance: true, Source: chapter5,
		seconds: [3]float64{0.11, 0.28, 0.3},
		numbers: []string{"p99"},
		marks:   publishedRoundsInDepartment(rounds),
		Doc:     "Vivaldi on 151 hosts gets better until 64,000 rounds, and then no more",
		cells: func(size string) (all []lab.Cell) {
			inputs := []string{umiacsName}
			if size != "ci" {
				inputs = append(inputs, planetlabName+":151")
			}
			for _, n := range rounds {
				all = append(all, predictions([]string{vivaldi(n)}, inputs)...)
			}
			return all
		},
		Claims: []Claim{
			bounded("the 99th percentile after 64,000 rounds is at most a fifth of that after 4,000, umiacs-like",
				"13.86 to 0.69, at UMIACS itself", 0.2, quotient(vivaldi(64_000), vivaldi(4_000), umiacsName, p99)),
			bounded("the 99th percentile stays within 15 % from 128,000 rounds on, umiacs-like",
				"0.69 0.67 0.65 0.67", 0.15, spread(umiacsName, p99, doubled(128_000, 1_024_000))),
			bounded("the same on PlanetLab", "", 0.15, spread(planetlabName, p99, doubled(128_000, 1_024_000))),
		},
	}
}

// publishedRoundsInDepartment are the percentiles of table 5.1, measured at UMIACS. Our hosts only
// resemble those.
func publishedRoundsInDepartment(rounds []int) (all []mark) {
	for i, v := range []float64{13.86, 11.85, 4.10, 1.36, 0.69, 0.69, 0.67, 0.65, 0.67} {
		all = append(all, errorsOf(vivaldi(rounds[i])+" of "+umiacsName, map[string]float64{"p99": v}))
	}
	return all
}

// methodsInDepartment compares the methods on a department.
func methodsInDepartment() *Experiment {
	v := vivaldi(128_000)
	return &Experiment{
		Name: "jackson/t5.2", Chance: true, Source: chapter5,
		seconds: [3]float64{0.2, 0.4, 0.42},
		numbers: []string{"p50", "p95", "p99", "max"},
		marks: []mark{
			percentiles("dtm of "+umiacsName, 0.019, 0.209, 0.492, 21.75),
			percentiles(v+" of "+umiacsName, 0.122, 0.467, 0.701, 6.31),
			percentiles("gnp of "+umiacsName, 0.235, 0.891, 0.995, 29.66),
		},
		Doc: "DTM predicts the latencies of 151 hosts better than Vivaldi, and Vivaldi better than GNP",
		cells: func(size string) []lab.Cell {
			inputs := []string{umiacsName}
			if size != "ci" {
				inputs = append(inputs, planetlabName+":151")
			}
			return predictions([]string{"dtm", v, "gnp"}, inputs)
		},
		Claims: []Claim{
			bounded("DTM's median is at most half of both others, umiacs-like", "0.019, 0.122, 0.235", 0.5,
				greatest(quotient("dtm", v, umiacsName, p50), quotient("dtm", "gnp", umiacsName, p50))),
			bounded("DTM's 95th percentile is the smallest, umiacs-like", "0.209, 0.467, 0.891", 1,
				greatest(quotient("dtm", v, umiacsName, p95), quotient("dtm", "gnp", umiacsName, p95))),
			bounded("DTM's 99th percentile is the smallest, umiacs-like", "0.492, 0.701, 0.995", 1,
				greatest(quotient("dtm", v, umiacsName, p99), quotient("dtm", "gnp", umiacsName, p99))),
			bounded("Vivaldi's median is below that of GNP, umiacs-like", "0.122, 0.235", 1,
				quotient(v, "gnp", umiacsName, p50)),
			bounded("Vivaldi's largest error is below that of DTM, umiacs-like", "6.31, 21.75", 1,
				quotient(v, "dtm", umiacsName, largest)),
			bounded("DTM's median is the smallest, PlanetLab", "", 1,
				greatest(quotient("dtm", v, planetlabName, p50), quotient("dtm", "gnp", planetlabName, p50))),
		},
	}
}

// publishedRounds are the percentiles of table 5.3 from 128,000 rounds on. Rounds double.
var publishedRounds = []struct {
	rounds   int
	p95, p99 float64
}{

	{128_000, 8_798, 14_023}, {256_000, 1_050, 2_444}, {512_000, 399, 945}, {1_024_000, 224, 584},
	{2_048_000, 190, 448}, {4_096_000, 97, 239}, {8_192_000, 84, 241}, {16_384_000, 81, 236},
	{32_768_000, 84, 239}, {65_536_000, 76, 233},
}

// lastRounds is how many rounds each size goes to.
var lastRounds = map[string]int{"ci": 256_000, "desk": 4_096_000, "paper": 65_536_000}

// roundsOnGrid is about the rounds of Vivaldi on a grid.
func roundsOnGrid() *Experiment {
	e := &Experiment{
		Name: "jackson/t5.3", Chance: true, Source: chapter5,
		seconds: [3]float64{0.99, 3.5, 7.2},
		numbers: []string{"p50", "p95", "p99"},
		Doc:     "Vivaldi on 2,091 nodes needs millions of rounds, and still confuses near and far",
		cells: func(size string) (all []lab.Cell) {
			for _, n := range doubled(32_000, lastRounds[size]) {
				all = append(all, predictions([]string{vivaldi(n)}, []string{sharcnetLatency(size)})...)
			}
			return all
		},
		Claims: []Claim{
			bounded("the median after 1,024,000 rounds is below 0.03", "0.02 or 0.07, as the columns are read", 0.03,
				simply(vivaldi(1_024_000), sharcnetName, p50)),
			bounded("the 95th percentile stays within 30 % from 4,096,000 rounds on", "97 84 81 84 76", 0.3,
				spread(sharcnetName, p95, doubled(4_096_000, 65_536_000))),
		},
	}
	for _, p := range publishedRounds {
		e.marks = append(e.marks, errorsOf(vivaldi(p.rounds)+" of "+sharcnetName,
			map[string]float64{"p95": p.p95, "p99": p.p99}))
		off := func(value func(*lab.Prediction) float64, published float64) number {
			return proportion(func(s seeded) (float64, bool) {
				v, ok := whole(vivaldi(p.rounds), value).of(s)
				return max(v/published, published/max(v, 1e-9)), ok
			})
		}
		e.Claims = append(e.Claims, bounded(
			fmt.Sprintf("the 95th and 99th percentile after %d rounds are within a factor of 2.5", p.rounds),
			fmt.Sprintf("%g, %g", p.p95, p.p99), 2.5, greatest(off(p99, p.p99), off(p95, p.p95))))
	}
	return e
}

// quick and slow are the rounds of Vivaldi that table 5.4 calls n log n and n squared.
const quick, slow = "vivaldi:117941", "vivaldi:4096000"

// methodsOnGrid compares the methods on a grid.
func methodsOnGrid() *Experiment {
	dtmOf := func(value func(*lab.Prediction) float64) number { return simply("dtm", sharcnetName, value) }
	factor := func(published float64, value func(*lab.Prediction) float64) number {
		return whole("dtm", func(p *lab.Prediction) float64 { return math.Abs(value(p)/published - 1) })
	}
	beyond := func(value func(*lab.Prediction) float64) number {
		return number{Median, metric.AnyNumber, dtmOf(value).of}
	}
	return &Experiment{
		Name: "jackson/t5.4", Chance: true, Source: chapter5,
		seconds: [3]float64{1.2, 2.2, 2.4},
		numbers: []string{"p50", "p95", "p99", "max"},
		marks: []mark{
			percentiles("dtm of "+sharcnetName, 0, 0.11, 0.37, 10_290),
			percentiles("gnp of "+sharcnetName, 0.19, 1.94, 4.65, 84_287),
			percentiles(slow+" of "+sharcnetName, 0.01, 97.0, 238.9, 8_078),
			percentiles(quick+" of "+sharcnetName, 0.20, 5_032, 13_483, 89_768),
		},
		Doc: "on 2,091 nodes DTM predicts well with 57 measurements a node; coordinates do not",
		cells: func(size string) []lab.Cell {
			return append(predictions([]string{"dtm", "gnp", slow, quick}, []string{sharcnetLatency(size)}),
				predictions([]string{"dtm", "gnp"}, []string{umiacsName})...)
		},
		Claims: []Claim{
			bounded("DTM's median", "0.00", 0.005, whole("dtm", p50)),
			bounded("DTM's 95th percentile is within 25 % of the published one", "0.11", 0.25, factor(0.11, p95)),
			bounded("DTM's 99th percentile is within 25 % of the published one", "0.37", 0.25, factor(0.37, p99)),
			bounded("DTM's 95th percentile is at most 0.25", "0.11", 0.25, whole("dtm", p95)),
			bounded("DTM's 99th percentile is at most 0.50", "0.37", 0.50, whole("dtm", p99)),
			bounded("DTM's 95th percentile beyond 1.3 times that of a tree of the sites", "", 0.05,
				beyond(func(p *lab.Prediction) float64 { return p.Errors.P95 - float64(1.3*p.Floor.P95) })),
			bounded("DTM's 99th percentile beyond 1.3 times that of a tree of the sites", "", 0.05,
				beyond(func(p *lab.Prediction) float64 { return p.Errors.P99 - float64(1.3*p.Floor.P99) })),
			bounded("measurements of a host in DTM", "117,941 in all, 56.4", 57,
				dtmOf(func(p *lab.Prediction) float64 { return float64(p.Measurements) / float64(max(1, p.Hosts)) })),
			bounded("at 95 and 99, DTM has at most a fifth of GNP's error", "0.11 and 1.94, 0.37 and 4.65", 0.2,
				greatest(quotient("dtm", "gnp", sharcnetName, p95), quotient("dtm", "gnp", sharcnetName, p99))),
			bounded("at 95 and 99, GNP has at most a tenth of the error of Vivaldi with 4,096,000 rounds",
				"1.94 and 97.0, 4.65 and 238.9", 0.1,
				greatest(quotient("gnp", slow, sharcnetName, p95), quotient("gnp", slow, sharcnetName, p99))),
			bounded("at 95 and 99, Vivaldi is better with 4,096,000 rounds than with 117,941",
				"97.0 and 5,032, 238.9 and 13,483", 1,
				greatest(quotient(slow, quick, sharcnetName, p95), quotient(slow, quick, sharcnetName, p99))),
		},
	}
}

// variants are the inputs of tables 5.5 and 5.6, by their names there. Rejoin is a method.
type variant struct {
	name, method string
	input        func(size string) string // "" if the size has none
	p95, p99     float64
	largest      float64
	positive     float64
	negative     float64
}

// variants lists them. Repeated samples of a pair of sites are 18 slices of time.
func variants() []variant {
	at := func(sites string) func(string) string {
		return func(size string) string {
			switch {
			case size != "ci":
				return sharcnetName + ":" + sites
			case sites == "sites=lowest":
				return ""
			}
			return strings.Replace(sharcnetLatency(size)+","+sites, ",sites=mean", "", 1)
		}
	}
	return []variant{
		{"Original", "dtm", at("sites=mean"), 0.11, 0.37, 10_290, 1.4e-5, 0.022},
		{"Round", "dtm", at("sites=mean,round=yes"), 0.090, 0.31, 9_329, 1.0e-5, 0.013},
		{"Lowest Quartile", "dtm", at("sites=lowest"), 0.089, 0.35, 8_078, 0.99e-5, 0.030},
		{"Rejoin", "dtm-rejoin", at("sites=mean"), 0.28, 0.50, 2.06, 0, 0.022},
	}
}

// variantCells are the cells of all variants.
func variantCells(size string) (all []lab.Cell) {
	for _, v := range variants() {
		if input := v.input(size); input != "" {
			all = append(all, predictions([]string{v.method}, []string{input})...)
		}
	}
	return all
}

// made is the prediction of a variant, of the largest size that was run.
func (v variant) made(s seeded) *lab.Prediction {
	for _, size := range []string{"paper", "ci"} {
		if input := v.input(size); input != "" {
			if p := s.exactly(v.method, input); p != nil {
				return p
			}
		}
	}
	return nil
}

func (v variant) number(value func(*lab.Prediction) float64) number {
	return percentile(func(s seeded) (float64, bool) {
		p := v.made(s)
		if p == nil {
			return 0, false
		}
		return value(p), true
	})
}

// changedLatencies is about changes of the latencies, and of the tree after it was built.
func changedLatencies() *Experiment {
	e := &Experiment{
		Name: "jackson/t5.5", Chance: true, Source: chapter5, cells: variantCells,
		seconds: [3]float64{0.9, 3.8, 3.8},
		numbers: []string{"p95", "p99", "max"},
		Doc:     "rounding or filtering latencies changes little, and rejoining lowers only the largest error",
	}
	original := variants()[0]
	for _, v := range variants() {
		e.marks = append(e.marks, errorsOf(v.method+" of "+v.input("paper"),
			map[string]float64{"p95": v.p95, "p99": v.p99, "max": v.largest}))
		e.Claims = append(e.Claims, bounded(v.name+": the median", "0.00", 0.005, v.number(p50)))
		if v.method != "dtm" || v.name == original.name {
			continue
		}
		off := percentile(func(s seeded) (float64, bool) {
			a, b := v.made(s), original.made(s)
			if a == nil || b == nil || b.Errors.P95 == 0 || b.Errors.P99 == 0 {
				return 0, false
			}
			return max(math.Abs(p95(a)/p95(b)-1), math.Abs(p99(a)/p99(b)-1)), true
		})
		e.Claims = append(e.Claims, bounded(v.name+": the 95th and 99th percentile are within 30 % of Original",
			fmt.Sprintf("%g and 0.11, %g and 0.37", v.p95, v.p99), 0.3, off))
	}
	rejoin := variants()[3]
	e.Claims = append(e.Claims, bounded("Rejoin: the largest error is at most a hundredth of that of Original",
		"2.06, 10,290", 0.01, proportion(func(s seeded) (float64, bool) {
			a, b := rejoin.made(s), original.made(s)
			if a == nil || b == nil || largest(b) == 0 {
				return 0, false
			}
			return largest(a) / largest(b), true
		})))
	return e
}

// wrongAnswers is about wrong answers to whether a pair is within 10 microseconds.
func wrongAnswers() *Experiment {
	e := &Experiment{
		Name: "jackson/t5.6", Chance: true, Source: chapter5, cells: variantCells,
		seconds: [3]float64{0.91, 3.8, 3.8},
		numbers: []string{"positive_error", "negative_error"},
		Doc:     "DTM almost never takes far pairs to be near, and few near pairs to be far",
	}
	for _, v := range variants() {
		e.marks = append(e.marks, errorsOf(v.method+" of "+v.input("paper"),
			map[string]float64{"positive_error": v.positive, "negative_error": v.negative}))
		e.Claims = append(e.Claims,
			bounded(v.name+": share of the far pairs that are predicted to be near", fmt.Sprintf("%g", v.positive), 3e-5,
				v.number(func(p *lab.Prediction) float64 { return p.Errors.Positive })),
			bounded(v.name+": share of the near pairs that are predicted to be far", fmt.Sprintf("%g", v.negative), 0.03,
				v.number(func(p *lab.Prediction) float64 { return p.Errors.Negative })))
	}
	return e
}

// errorsOf has published errors of predictions by a method. Published values are about whole grids,
// not about the small grids of size ci.
func errorsOf(predict string, values map[string]float64) mark {
	return mark{[]string{"predict=" + predict}, values}
}

// percentiles are published errors of a method: percentiles and the largest.
func percentiles(predict string, p50, p95, p99, most float64) mark {
	return errorsOf(predict, map[string]float64{"p50": p50, "p95": p95, "p99": p99, "max": most})
}

// exactTrees is about latencies that satisfy the four-point condition.
func exactTrees() *Experiment {
	return &Experiment{
		Name: "jackson/2.2.1", Chance: true,
		seconds: [3]float64{0.035, 0.035, 0.035},
		Source:  "Jackson (2015), sections 2.2.1 and 5.2.3.3; the tree is our interpretation of DTM",
		Doc:     "latencies that are path lengths in a tree are predicted without error",
		cells: func(string) []lab.Cell {
			return predictions([]string{"dtm-walk", "dtm"}, []string{"tree:151", "tree:300"})
		},
		numbers: []string{"p50", "p95", "p99", "max"},
	}
}

// adequate are the rounds of Vivaldi on a small grid: those of table 5.1, more than pairs of hosts.
const adequate = "vivaldi:128000"

// smallGrid is about Vivaldi on a tenth of the grid and on all of it.
func smallGrid() *Experiment {
	return &Experiment{
		Name: "jackson/5.2.5", Chance: true,
		seconds: [3]float64{0.24, 0.6, 0.6},
		Source:  "Jackson (2015), section 5.2.5; the grid of 200 nodes is not described",
		Doc:     "Vivaldi finds near nodes in a grid of 200 nodes, and not in one of 2,091",
		cells: func(size string) []lab.Cell {
			if size == "ci" {
				return predictions([]string{adequate}, []string{sharcnetName + ":sites=plane,every=10"})
			}
			return append(predictions([]string{adequate}, []string{sharcnetName + ":every=10"}),
				predictions([]string{slow}, []string{sharcnetName})...)
		},
		numbers: []string{"p50", "p95", "negative_error"},
	}
}

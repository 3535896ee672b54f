package experiment

import (
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// errorsOf are published errors of predictions by a method: percentiles and the largest, or shares
// of wrong answers.
type errorsOf struct {
	experiment, predict string
	values              map[string]float64
}

// published5 lists the tables of section 5.2. Those of UMIACS stand beside hosts that resemble it.
func published5() (all []errorsOf) {
	add := func(experiment, predict string, values map[string]float64) {
		all = append(all, errorsOf{experiment, predict, values})
	}
	for i, v := range []float64{13.86, 11.85, 4.10, 1.36, 0.69, 0.69, 0.67, 0.65, 0.67} {
		add("jackson/t5.1", vivaldi(4_000<<i)+" of "+umiacsName, map[string]float64{"p99": v})
	}
	table := func(p50, p95, p99, most float64) map[string]float64 {
		return map[string]float64{"p50": p50, "p95": p95, "p99": p99, "max": most}
	}
	add("jackson/t5.2", "dtm of "+umiacsName, table(0.019, 0.209, 0.492, 21.75))
	add("jackson/t5.2", vivaldi(128_000)+" of "+umiacsName, table(0.122, 0.467, 0.701, 6.31))
	add("jackson/t5.2", "gnp of "+umiacsName, table(0.235, 0.891, 0.995, 29.66))
	for _, p := range published53 {
		add("jackson/t5.3", vivaldi(p.rounds)+" of "+sharcnetName, map[string]float64{"p95": p.p95, "p99": p.p99})
	}
	add("jackson/t5.4", "dtm of "+sharcnetName, table(0, 0.11, 0.37, 10_290))
	add("jackson/t5.4", "gnp of "+sharcnetName, table(0.19, 1.94, 4.65, 84_287))
	add("jackson/t5.4", slow+" of "+sharcnetName, table(0.01, 97.0, 238.9, 8_078))
	add("jackson/t5.4", quick+" of "+sharcnetName, table(0.20, 5_032, 13_483, 89_768))
	for _, v := range variants() {
		predict := v.method + " of " + v.input("paper")
		add("jackson/t5.5", predict, map[string]float64{"p95": v.p95, "p99": v.p99, "max": v.largest})
		add("jackson/t5.6", predict, map[string]float64{"positive_error": v.positive, "negative_error": v.negative})
	}
	return all
}

// publishedError returns the published value of an error of predictions. Published values are about
// whole grids, not about the small grids of size ci.
func publishedError(r *lab.Row, number string) (float64, bool) {
	if !strings.HasPrefix(r.Experiment, "jackson/t5.") || r.Settings.Get("predict") == "" {
		return 0, false
	}
	for _, p := range published5() {
		if p.experiment == r.Experiment && p.predict == r.Settings.Get("predict") {
			v, there := p.values[number]
			return v, there
		}
	}
	return 0, false
}

package latency

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Effort is how long the methods that never end work, and how many landmarks GNP has.
type Effort struct {
	Rounds    int // of Vivaldi
	Landmarks int // of GNP; 0 is 6
}

// usualLandmarks is how many landmarks Jackson's GNP had.
const usualLandmarks = 6

// Methods lists what [Predict] accepts.
func Methods() []Name {
	return []Name{
		{"dtm", "a tree built by joins, our interpretation: by fit, and by a walk where that fits badly"},
		{"dtm-fit", "the same, by fit alone"},
		{"dtm-walk", "the same, by the walk alone, which is exact on trees"},
		{"dtm-rejoin", "as dtm; afterwards each host leaves and joins again"},
		{"vivaldi", "five dimensions, a constant timestep of 0.25"},
		{"vivaldi-adaptive", "five dimensions, an adaptive timestep"},
		{"vivaldi-height", "two dimensions and a height, an adaptive timestep"},
		{"gnp", "five dimensions, six random landmarks, downhill simplex"},
	}
}

// Predict runs a method by name.
func Predict(in *Input, method string, effort Effort, seed uint64) (Predictor, error) {
	if effort.Landmarks == 0 {
		effort.Landmarks = usualLandmarks
	}
	switch method {
	case "dtm":
		return DTM(in, dtm.Both, seed), nil
	case "dtm-fit":
		return DTM(in, dtm.Fit, seed), nil
	case "dtm-walk":
		return DTM(in, dtm.Walk, seed), nil
	case "dtm-rejoin":
		t := DTM(in, dtm.Both, seed)
		t.Rejoin()
		return t, nil
	case "vivaldi":
		return Vivaldi(in, Constant, effort.Rounds, seed), nil
	case "vivaldi-adaptive":
		return Vivaldi(in, Adaptive, effort.Rounds, seed), nil
	case "vivaldi-height":
		return Vivaldi(in, Height, effort.Rounds, seed), nil
	case "gnp":
		return GNP(in, effort.Landmarks, seed), nil
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("%w method %q; %s", ErrName, method, usage.Question(usage.Nearest(method, names), names))
}

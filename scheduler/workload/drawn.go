package workload

import "strings"

// drawing has the steps that draw by seed, and a name for the jobs that they draw.
var drawing = []struct{ step, jobs string }{
	{"window:drawn:", "drawn windows"},
	{"shake:", "shaken submissions"},
}

// Drawn lists how the steps of a selection draw jobs by seed: as "drawn windows", for example. It
// lists none if all seeds have the same jobs.
func Drawn(selection string) []string {
	var all []string
	for _, d := range drawing {
		for text := range strings.SplitSeq(selection, ",") {
			if strings.HasPrefix(strings.TrimSpace(text), d.step) {
				all = append(all, d.jobs)
				break
			}
		}
	}
	return all
}

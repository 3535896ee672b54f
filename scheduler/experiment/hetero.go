package experiment

import (
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// The inputs of x/hetero: their clusters differ in size, speed and network.
var (
	mixedT = input{
		"T on different machines", inputT.workload, strings.Replace(thunder, ",head", ",filter:size<=32,head", 1),
		"hetero:1,2000",
	}
	mixedS = input{"S on different machines", inputS.workload, "filter:size<=32", "hetero:1,600"}
)

// hetero measures the cost of jobs that cannot run on every machine.
func hetero() *Experiment {
	demanding := []string{"demands=drawn"}
	sides := []side{both, both.and(demanding...)}
	for _, policy := range []string{"static", "dlb", "qb"} {
		sides = append(sides, side{policy, demanding})
	}
	for _, over := range []string{"none", "8"} {
		sides = append(sides, both.and("demands=drawn", "over-provisioning="+over))
	}
	e := &Experiment{
		Name: "x/hetero", Chance: true,
		Doc: "machines of different speeds, of which jobs require some: fast ones are few, and jobs that require them " +
			"are as few",
		Source: "Jackson (2015), section 4.2, has machines in the coordinates, and experiments without",
		cells: func(size string) (all []lab.Cell) {
			in := mixedT
			if size == "ci" {
				in = mixedS
			}
			for _, s := range sides {
				all = append(all, in.cell(s.policy, s.settings...))
			}
			return all
		},
	}
	for _, in := range []input{mixedT, mixedS} {
		e.Claims = append(e.Claims, in.about(beside(sides[1], sides[0]))...)
		for _, s := range sides[2:] {
			e.Claims = append(e.Claims, in.about(beside(s, sides[1]))...)
		}
	}
	return e
}

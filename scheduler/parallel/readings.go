package parallel

import "github.com/canvass-grid/canvass/scheduler"

// notGiven stands for a value that the dissertation does not state.
const notGiven = "not given"

// readings has the settings that the dissertation states, leaves open, or states in two ways.
var readings = map[string]scheduler.Reading{
	"over-provisioning": reading("total", "4.2, 4.3.3", "the experiments use it unless a figure compares others"),
	"moves":             reading("once", "4.2", "a job moves once; whether DLB and QB share that move is open"),
	"minimum": reading("strict", "4.2, Algorithms 1 and 2",
		"with strict, no two clusters with one equal value are ever ordered"),
	"position": reading("average", "4.2", "averageQP is over all dependents; that includes some that never run"),
	"reach":    reading("both", "4.2", "direct and indirect neighbours, which nodes of a CAN know anyway"),
	"demands":  reading("none", "4.2", "coordinates have the speeds of machines, but no experiment requires any"),
	"virtual-dimensions": reading("1", "2.1",
		"P2PGrid has one; more shorten the ways of jobs among equal nodes"),
	"latency": reading(notGiven, "4.3", "most messages go within a cluster"),
	"between": reading(notGiven, "4.3", "the simulations have no latencies between clusters"),
	"balance": reading(notGiven, "4.2", "short beside waits, and long beside a message"),
	"news":    reading(notGiven, "4.2", "as often as nodes balance; 0s is the limit"),
	"churn":   reading(notGiven, "4.2", "failures are described, and no experiment has any"),
	"loss":    reading(notGiven, "4.2", "likewise"),
}

func reading(published, section, reason string) scheduler.Reading {
	return scheduler.Reading{Published: published, Section: section, Reason: reason}
}

// withReadings adds the readings of settings.
func withReadings(all []scheduler.Setting) []scheduler.Setting {
	for i := range all {
		if r, there := readings[all[i].Name]; there {
			all[i].Reading = &r
		}
	}
	return all
}

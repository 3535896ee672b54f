package metric

import (
	"fmt"
	"math/bits"

	"github.com/canvass-grid/canvass/scheduler"
)

// sizeClasses is how many classes of sizes there can be: one for each length of a number.
const sizeClasses = 64

// bySize divides jobs into those of 1, 2-3, 4-7, … nodes.
func bySize(jobs []job) []Class {
	return classes(jobs, sizeClasses,
		func(j *job) int { return bits.Len64(uint64(j.nodes)) - 1 },
		func(class int) string {
			if class == 0 {
				return "1"
			}
			return fmt.Sprintf("%d-%d", uint64(1)<<class, uint64(1)<<(class+1)-1)
		})
}

// runClasses are the run times below which classes end, and their labels.
func runClasses() ([]int64, []string) {
	const minute, hour = 60 * scheduler.Second, 3600 * scheduler.Second
	return []int64{10 * scheduler.Second, minute, 10 * minute, hour, 10 * hour},
		[]string{"<10 s", "<1 min", "<10 min", "<1 h", "<10 h", ">=10 h"}
}

// byRun divides jobs by run time.
func byRun(jobs []job) []Class {
	ends, labels := runClasses()
	return classes(jobs, len(labels),
		func(j *job) int {
			class := 0
			for class < len(ends) && j.run() >= ends[class] {
				class++
			}
			return class
		},
		func(class int) string { return labels[class] })
}

// classes measures the jobs of each class that has any.
func classes(jobs []job, count int, of func(*job) int, label func(int) string) []Class {
	members := make([][]job, count)
	for i := range jobs {
		class := of(&jobs[i])
		members[class] = append(members[class], jobs[i])
	}
	var list []Class
	for class, jobs := range members {
		if len(jobs) > 0 {
			list = append(list, Class{label(class), measure(jobs)})
		}
	}
	return list
}

package workload

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

func parseFilter(argument string) (application, *Error) {
	size, isSize := strings.CutPrefix(argument, "size<=")
	cluster, isCluster := strings.CutPrefix(argument, "cluster=")
	var condition func(*scheduler.Job) bool
	switch {
	case argument == "parallel":
		condition = isParallel
	case isSize:
		most, ok := parseCount(size)
		if !ok {
			return nil, wrong("", "%q is not a number of nodes from 1 on", size)
		}
		condition = func(j *scheduler.Job) bool { return j.Nodes <= most }
	case isCluster:
		partition, err := strconv.ParseUint(cluster, 10, 32)
		if err != nil {
			return nil, wrong("", "%q is not the number of a partition", cluster)
		}
		condition = func(j *scheduler.Job) bool { return j.Partition == int64(partition) }
	default:
		name := strings.TrimRight(argument, "<>=0123456789")
		return nil, wrong(near(name, "parallel", "size", "cluster"), "there is no filter %q", argument)
	}
	return func(s *state) *Error {
		s.keep(condition)
		return nil
	}, nil
}

func isParallel(j *scheduler.Job) bool { return j.Nodes > 1 }

func parseHead(argument string) (application, *Error) {
	n, ok := parseCount(argument)
	if !ok {
		return nil, wrong("", "%q is not a number of jobs from 1 on", argument)
	}
	return func(s *state) *Error {
		if fault := s.needs(n); fault != nil {
			return fault
		}
		s.cut(0, n)
		return nil
	}, nil
}

// needs is an error if there are fewer jobs than a step asks for.
func (s *state) needs(n int) *Error {
	if n <= len(s.Jobs) {
		return nil
	}
	return wrong("ask for no more than there are", "it asks for %s, and there %s", counted(n, "job"), areJobs(len(s.Jobs)))
}

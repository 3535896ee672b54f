package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Held is the colour of tasks that hold nodes without running, such as those of a job that waits
// for its last node.
const Held = -1

// GanttSpec describes which nodes of which clusters ran what and when.
type GanttSpec struct {
	Title, Caption string
	XLabel         string   // without its unit; "time" if empty
	Clusters       []string // at most 100
	Nodes          []int    // of each cluster
	Tasks          []Task   // at most 200,000
}

// Task is a block: neighbouring nodes of a cluster, for some time.
type Task struct {
	Cluster                  int // index in Clusters
	FirstNode, Nodes         int // the nodes are FirstNode to FirstNode+Nodes-1
	StartSeconds, EndSeconds float64
	Label                    string // shown where it fits; may be empty
	Colour                   int    // any number from 0 for a kind of task, or Held
}

// Gantt draws each cluster as a band whose height grows with its nodes, over time.
func Gantt(spec GanttSpec) (*Figure, error) {
	c := newCheck("gantt", spec.Title, spec.Caption)
	spec.XLabel = cmp.Or(spec.XLabel, "time")
	c.text("the label of the x axis", spec.XLabel)
	checkClusters(c, spec.Clusters, spec.Nodes)
	c.count(len(spec.Tasks), maxTasks, "tasks")
	if c.err != nil {
		return nil, c.err
	}
	for i, t := range spec.Tasks {
		checkTask(c, i, t, spec.Nodes)
		if c.err != nil {
			return nil, c.err
		}
		c.require(t.FirstNode >= 0 && t.FirstNode <= spec.Nodes[t.Cluster]-t.Nodes,
			"task %d (%q) is on nodes %d to %d of a cluster whose nodes are 0 to %d",
			i+1, t.Label, t.FirstNode, t.FirstNode+t.Nodes-1, spec.Nodes[t.Cluster]-1)
	}
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawGantt(spec), ganttTable(spec) })
}

func checkClusters(c *check, names []string, nodes []int) {
	c.count(len(names), maxGroups, "clusters")
	c.require(len(names) == len(nodes), "there are %d clusters and %d numbers of nodes; give a number for each",
		len(names), len(nodes))
	for i, n := range names {
		c.text(fmt.Sprintf("the name of cluster %d", i+1), n)
	}
	checkNodes(c, nodes)
}

func checkNodes(c *check, nodes []int) {
	for i, n := range nodes {
		c.require(n > 0 && n <= 10_000_000, "cluster %d has %d nodes; give 1 to 10,000,000", i+1, n)
	}
}

// checkTask checks all but where the task is.
func checkTask(c *check, i int, t Task, nodes []int) {
	c.require(t.Cluster >= 0 && t.Cluster < len(nodes), "task %d (%q) is in cluster %d; clusters are 0 to %d",
		i+1, t.Label, t.Cluster, len(nodes)-1)
	if c.err != nil {
		return
	}
	c.require(t.Nodes > 0 && t.Nodes <= nodes[t.Cluster], "task %d (%q) has %d nodes in a cluster of %d",
		i+1, t.Label, t.Nodes, nodes[t.Cluster])
	c.number(t.StartSeconds, false, "the start of task %d (%q)", i+1, t.Label)
	c.number(t.EndSeconds, false, "the end of task %d (%q)", i+1, t.Label)
	c.require(t.StartSeconds <= t.EndSeconds, "task %d (%q) ends at %g s, before its start at %g s",
		i+1, t.Label, t.EndSeconds, t.StartSeconds)
	c.require(t.Colour >= Held, "task %d (%q) has colour %d; use 0 or more, or Held", i+1, t.Label, t.Colour)
	c.require(len(t.Label) <= maxLabel, "the label of task %d has %d bytes; shorten it to %d",
		i+1, len(t.Label), maxLabel)
	c.printable("the label of a task", t.Label)
}

func ganttTable(spec GanttSpec) *table {
	t := newTable("cluster", "first_node", "nodes", "start_seconds", "end_seconds", "label", "colour")
	for _, k := range spec.Tasks {
		t.add(spec.Clusters[k.Cluster], k.FirstNode, k.Nodes, k.StartSeconds, k.EndSeconds, k.Label, k.Colour)
	}
	return t
}

// timeUnit is the unit in which a span of time reads well.
func timeUnit(seconds float64) (name string, unit float64) {
	switch {
	case seconds < 3*60:
		return "s", 1
	case seconds < 3*3600:
		return "min", 60
	case seconds < 4*86400:
		return "h", 3600
	}
	return "d", 86400
}

func drawGantt(spec GanttSpec) *sheet {
	low, high := spec.Tasks[0].StartSeconds, spec.Tasks[0].EndSeconds
	anyHeld := false
	for _, t := range spec.Tasks {
		low, high = min(low, t.StartSeconds), max(high, t.EndSeconds)
		anyHeld = anyHeld || t.Colour == Held
	}
	name, unit := timeUnit(high - low)
	x := scale{from: low / unit, to: high / unit}
	if x.from == x.to {
		x = spanning([]float64{x.from}, false, false)
	}
	tops, heights, rows := bands(spec)
	total := tops[len(tops)-1] + heights[len(heights)-1]
	f := newFrame(numeric(spec.XLabel+" ("+name+")", x),
		axis{label: "cluster (nodes)", scale: scale{from: total}, ticks: rows}, total, 0)
	for i := range tops {
		f.fill(grid.ink().over(90), rectangle(f.x0, f.Y(tops[i]+heights[i]), f.x1, f.Y(tops[i])))
	}
	if anyHeld {
		f.key("held, not running", func(x, y float64) {
			f.fill(held.ink().over(110), rectangle(x-5, y-5, x+5, y+5))
		})
	}
	f.blocks(spec, unit, tops, heights)
	return f.sheet
}

// bands divides the height: in proportion to the nodes, but a name fits into each.
func bands(spec GanttSpec) (tops, heights []float64, rows []tick) {
	const all, space = 260.0, 4.0
	nodes, at := 0, 0.0
	for _, n := range spec.Nodes {
		nodes += n
	}
	for i, n := range spec.Nodes {
		lines := wrap(fmt.Sprintf("%s (%s)", spec.Clusters[i], number(float64(n))), rowWidth)
		h := max(all*float64(n)/float64(nodes), lineHeight*float64(len(lines))+2)
		rows = append(rows, tick{at: at + h/2, lines: lines})
		tops, heights = append(tops, at), append(heights, h)
		at += h + space
	}
	return tops, heights, rows
}

// blocks draws the tasks of each colour as one area, and the labels that fit.
func (f *frame) blocks(spec GanttSpec, unit float64, tops, heights []float64) {
	areas := map[int][][]point{}
	type label struct {
		x, y float64
		text string
	}
	var labels []label
	for _, t := range spec.Tasks {
		per := heights[t.Cluster] / float64(spec.Nodes[t.Cluster])
		top := f.Y(tops[t.Cluster] + per*float64(t.FirstNode))
		bottom := f.Y(tops[t.Cluster] + per*float64(t.FirstNode+t.Nodes))
		start, end := f.X(t.StartSeconds/unit), f.X(t.EndSeconds/unit)
		if t.Label != "" && top-bottom >= smallSize+1 && textWidth(smallSize, t.Label) <= end-start-3 {
			labels = append(labels, label{(start + end) / 2, (top + bottom) / 2, t.Label})
		}
		if top-bottom > 2 {
			top, bottom = top-0.4, bottom+0.4
		}
		if end-start > 2 {
			start, end = start+0.4, end-0.4
		}
		end = max(end, start+0.3) // a short task is a thin line, not nothing
		kind := t.Colour
		if kind != Held {
			kind %= len(strokes)
		}
		areas[kind] = append(areas[kind], rectangle(start, bottom, end, top))
	}
	for _, kind := range slices.Sorted(maps.Keys(areas)) {
		colour := held.ink().over(110)
		if kind != Held {
			colour = stroke(kind).over(150)
		}
		f.fill(colour, areas[kind]...)
	}
	for _, l := range labels {
		f.text(l.x, l.y, l.text, ink.ink(), smallSize, middle)
	}
}

package scheduler

// Cluster is a group of nodes in which a parallel job can run.
type Cluster struct {
	Name              string
	Nodes             int   // each runs one task at a time
	ProcessorsPerNode int   // 1 if nodes are processors
	DiameterNanos     int64 // the largest latency between two of its nodes; 0 for a single node
	SpeedPermille     int   // of its nodes, for policies that prefer fast ones; 1,000 is the usual one

	Kind string // of its nodes, for tasks that need one; empty if it has none
}

// Platform is a grid: clusters that share one queue, or none.
type Platform struct {
	Name     string
	Clusters []Cluster
	Machines *Machines // facts about single nodes; nil if those of a cluster are alike and stay
}

// Nodes counts the nodes of all clusters.
func (p *Platform) Nodes() int {
	n := 0
	for _, c := range p.Clusters {
		n += c.Nodes
	}
	return n
}

// Largest is the number of nodes of the largest cluster: a larger job can run nowhere.
func (p *Platform) Largest() int {
	n := 0
	for _, c := range p.Clusters {
		n = max(n, c.Nodes)
	}
	return n
}

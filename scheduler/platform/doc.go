// Package platform describes the machines that workloads run on: clusters by name, clusters from a
// file, and the clusterings of Jackson (2015), section 4.3.4.
//
//	sharcnet          10 clusters, 2,091 nodes
//	das2              5 clusters, 200 nodes of two processors
//	metacentrum       14 clusters, 806 processors
//	pool:N            one cluster of N nodes
//	uniform:CxN       C clusters of N nodes each
//	hetero:SEED,N     clusters of different sizes and speeds, drawn until they have N nodes
//	graded:C          C clusters from 16 to 1,024 nodes, each larger by the same factor
//	FILE.json         clusters from a file
//
// The first three take a setting: "metacentrum:unit=node" counts machines, "metacentrum:unit=cpu"
// counts processors, and then a machine with four processors is four nodes. SHARCNET and DAS2 count
// machines unless the setting says otherwise, MetaCentrum counts processors.
//
// A file has a name and a list of clusters. Only the name and nodes of a cluster are required. A
// task may need nodes of a kind:
//
//	{"name": "lab", "clusters": [
//	  {"name": "fast", "nodes": 64, "diameter_nanos": 8000, "speed_permille": 1500},
//	  {"name": "old", "nodes": 20, "processors_per_node": 2, "kind": "arm"}
//	]}
//
// # Usage
//
// [Parse] turns a text into a platform, and [Named] lists the texts with a sentence each. [Pool]
// makes one machine of a grid, as studies of a single queue do. [Disjoint] and [Overlap] make the
// smaller clusters that a decentralised scheduler advertises. [ReadClusters] reads clusters that
// were found by measuring, and [Clusters.Lists] gives each node of a platform its own.
//
// # Guarantees
//
//   - Strict: a file with an unknown, repeated or missing field, two clusters of one name or a
//     number out of range is refused, and the error has the path of that field in the file.
//   - Named: parsing the name of a platform that was not read from a file gives that platform.
//   - Kept: pooling and cutting keep the number of nodes. No node is in two groups of [Disjoint],
//     and the nodes that are left over form a smaller group.
//   - Wrapped: with [Overlap], every node is in as many lists as its own list is long.
//
// # Assumptions
//
//   - Sizes and names of SHARCNET are recalled, not taken from a log. They add up to the 2,091
//     nodes of Jackson and to the 6,828 processors of the Parallel Workloads Archive.
//   - The largest cluster of SHARCNET has Ethernet with a diameter of 150 µs. All others of
//     SHARCNET and DAS2 have Myrinet with 8 µs. MetaCentrum's networks are not known, and 150 µs
//     stands in. So it does for pools, uniform grids and files that give no diameter.
//   - A drawn grid has clusters of 8 to 256 nodes and of speeds from 1,000 to 4,000 permille, each
//     half as likely as the next smaller one. Half of them have Myrinet. The last cluster is cut.
//   - One cluster of MetaCentrum has 148 processors in 36 machines. With unit=node its machines
//     count as having four each, so that no job gets fewer processors than it asked for.
package platform

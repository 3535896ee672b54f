// Package generate makes workloads from a text that names a generator and its settings, and a seed.
//
//	lublin:N=10000,nodes=256,classes=1            the model of Lublin and Feitelson (2003)
//	sharcnet-like:N=1000,scale=0.3,span=643       a burst shaped like that of Jackson (2015)
//	poisson:N=100000,rate=0.5,service=exp,mean=1,nodes=1
//
// Each setting may be left out; these are the usual values. [Named] lists them.
//
// lublin models rigid jobs on a machine of some number of nodes. Sizes are a two-stage uniform
// distribution of the logarithm, run times a mixture of two gamma distributions of the logarithm in
// which larger jobs run longer, and submissions follow the hours of the day. With classes=2, batch
// and interactive jobs have parameters of their own, and Queue is 1 for batch jobs and 0 for
// interactive ones.
//
// sharcnet-like stands in for a log that cannot be had: N parallel jobs that arrive within span
// seconds. Sizes are two-stage uniform up to 64 nodes, and 0.7 % of the jobs are larger, up to 765
// nodes. Run times are those of lublin for one class, times scale. Of all jobs, 5 % are replaced by
// jobs of 2 or 3 nodes that run for 32 to 64 seconds, the most frequent kind in Jackson's figure
// 4.5. The usual scale of 0.3 comes from a trial and needs calibration. With serial=P, a share P of
// the jobs has one node instead, as 86 % of all jobs on SHARCNET had; it is 0 if left out.
//
// poisson makes serial jobs for comparisons with queueing theory: exponential times between
// submissions with a rate in jobs per second, and run times of some mean in seconds that are
// exponential (exp), equal (det) or hyperexponential (hyper: two branches with equal shares of
// the work; the squared coefficient of variation is 4). nodes is only recorded.
//
// # Usage
//
// [Parse] makes the workload. Its name is the text with every setting, in the order of [Named], and
// its digest is that of the name and the seed.
//
// # Guarantees
//
//   - Repeatable: equal settings and seeds give equal workloads on every machine. Logarithms,
//     exponentials and gamma variates are computed here, with roundings that no compiler may skip.
//   - Independent: each quantity of each class has its own stream of random numbers.
//   - Prefix: the first jobs of lublin and poisson do not depend on N.
//   - Valid: jobs are sorted by submission, have 1 to nodes nodes, and times in whole microseconds.
//     Values that a generator does not model are [scheduler.Unknown].
//
// # Assumptions
//
//   - Parameters of lublin are those of the authors' program lublin99.c, for 128 nodes. For another
//     machine, the bounds of its sizes move with the logarithm of the number of nodes.
//   - A size of lublin that rounding lifts above the machine is cut to the machine. The program
//     does not do that; the two differ only where the number of nodes is no power of two.
package generate

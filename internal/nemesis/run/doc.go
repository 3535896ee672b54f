// Command nemesis runs real daemons under faults and judges them, see package nemesis.
//
//	nemesis -canvass bin/canvass -seed 7 -minutes 5
//	nemesis -canvass bin/canvass -plan FILE      # a plan that was printed
//	nemesis -mutant permit-while-open            # a daemon with a mistake: the run must turn red
//
// It exits with 0 if all judges are content, 12 if one found a violation, 20 if one could not
// decide, and 1 or 2 if the run could not be made. With -mutant a violation is what is wanted: 0
// means that there was one, and 12 that there was none.
package main

package flight

import (
	"cmp"
	"slices"
)

// Parts splits the files of a long run into parts to [Merge], in the order in which incarnations
// have begun, with the given number of files each, or more if an incarnation has several. Each part
// begins in the middle of the one before. An incarnation is in a part as a whole.
func Parts(files []string, most int) (all [][]string, err error) {
	segments, err := order(files)
	if err != nil {
		return nil, err
	}
	var lives [][]segment
	for i, s := range segments {
		if i == 0 || segments[i-1].header.Life != s.header.Life {
			lives = append(lives, nil)
		}
		lives[len(lives)-1] = append(lives[len(lives)-1], s)
	}
	slices.SortStableFunc(lives, func(a, b []segment) int { return cmp.Compare(a[0].header.At, b[0].header.At) })
	for from := 0; from < len(lives); {
		var part []string
		to := from
		for ; to < len(lives) && len(part) < most; to++ {
			for _, s := range lives[to] {
				part = append(part, s.file)
			}
		}
		all = append(all, part)
		if to == len(lives) {
			break
		}
		from += (to - from + 1) / 2
	}
	return all, nil
}

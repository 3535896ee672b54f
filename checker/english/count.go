package english

import "strconv"

// Grouped writes a number with a comma between thousands.
func Grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes how many there are of what the noun names, whose plural is regular. The number is
// not negative.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Grouped(uint64(n)) + " " + noun
}

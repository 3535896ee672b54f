package traces

import "testing"

func TestBrief(t *testing.T) {
	const long = "a long beginning of many words"
	for _, test := range [][3]string{
		{"", "", ""}, {"a", "", ""}, {"", "a", "a"}, {"a", "b", "b"},
		{"a b c", "a x c", "a x c"},
		{long + " 1 2 3", long + " 1 9 3", "… 1 9 3"},
		{long + " 1 2 3 " + long, long + " 1 9 3 " + long, "… 1 9 3 …"},
		{"1 2 3 " + long, "9 2 3 " + long, "9 2 …"},
		{long, long + " and more", "… words and more"},
		{long + " and more", long, "… words (gone: and more)"},
		{long + " x " + long, long + " " + long, "… words (gone: x) a …"},
		{long + " x", long + " x x", "… x x"},
		{"aa", "aa aa", "aa aa"},
		{"äöü äöü äöü äöü 1", "äöü äöü äöü äöü 2", "… äöü 2"},
	} {
		if got := brief(test[0], test[1], true); got != test[2] {
			t.Errorf("from %q to %q: got %q, want %q", test[0], test[1], got, test[2])
		}
	}
}

package share_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/internal/share"
)

func Example() {
	some, err := share.Named([]string{"a", "b", "c", "d", "e"}, "2/3")
	fmt.Println(some, err)
	// Output: [b e] <nil>
}

func TestSharesAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.Int()).Draw(t, "all")
		n := rapid.IntRange(1, 9).Draw(t, "n")
		var together []int
		for i := range n {
			some, err := share.Named(all, fmt.Sprintf("%d/%d", i+1, n))
			require.NoError(t, err)
			together = append(together, some...)
		}
		require.ElementsMatch(t, all, together)
	})
}

func TestNoShare(t *testing.T) {
	for _, name := range []string{"", "0/4", "5/4", "2", "2/4/6", "a/b", " 2/4", "-1/4"} {
		_, err := share.Named([]int{1}, name)
		require.ErrorIs(t, err, share.ErrShare, name)
	}
	t.Setenv(share.Variable, "x")
	_, err := share.Of([]int{1})
	require.ErrorContains(t, err, share.Variable)
	t.Setenv(share.Variable, "")
	some, err := share.Of([]int{1, 2})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, some)
}

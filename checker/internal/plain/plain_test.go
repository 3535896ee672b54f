package plain_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker/internal/plain"
)

type place struct {
	X, y int8
	_    [2]bool
}

type state struct {
	Name, other string
	at          [2]place
	count       uint64
	done        bool
}

func draw(t *rapid.T, label string) state {
	word := rapid.SampledFrom([]string{"", "a", "b", "ab", "\x01a"})
	p := func() place { return place{X: rapid.Int8().Draw(t, label), y: rapid.Int8Range(-1, 1).Draw(t, label)} }
	return state{
		word.Draw(t, label), word.Draw(t, label), [2]place{p(), p()},
		rapid.Uint64Max(300).Draw(t, label), rapid.Bool().Draw(t, label),
	}
}

// Two values have the same encoding if and only if they are equal.
func TestEncodingsAreEqualWhereValuesAre(t *testing.T) {
	encode, err := plain.Encoder(reflect.TypeFor[state]())
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if rapid.Bool().Draw(t, "nearly equal") {
			b = a
			b.at[1].y = rapid.Int8Range(-1, 1).Draw(t, "y")
		}
		same := string(encode(nil, reflect.ValueOf(a))) == string(encode(nil, reflect.ValueOf(b)))
		require.Equal(t, a == b, same, "%+v %+v", a, b)
	})
}

func TestATypeThatIsNotPlainIsRefusedByItsPart(t *testing.T) {
	type queue struct {
		name  string                  //lint:ignore U1000 its type alone counts
		items [2]struct{ deep []int } //lint:ignore U1000 likewise
	}
	for _, test := range []struct {
		typ  reflect.Type
		says string
	}{
		{reflect.TypeFor[queue](), "plain_test.queue.items[i].deep is of kind slice"},
		{reflect.TypeFor[*int](), "*int is of kind ptr"},
		{reflect.TypeFor[float64](), "float64 is of kind float64"},
		{reflect.TypeFor[any](), "interface {} is of kind interface"},
		{reflect.TypeFor[map[int]int](), "map[int]int is of kind map"},
	} {
		_, err := plain.Encoder(test.typ)
		assert.EqualError(t, err, test.says)
	}
}

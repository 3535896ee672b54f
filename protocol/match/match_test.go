package match_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

func drawClasses(t *rapid.T) (c match.Classes) {
	for k := range c {
		c[k] = match.Class(rapid.IntRange(0, int(match.Ignored)).Draw(t, "class"))
	}
	return c
}

// drawPoint draws from few values, so that points are often equal in a dimension.
func drawPoint(t *rapid.T) (p space.Point) {
	for k := range p {
		p[k] = rapid.Int32Range(0, 2).Draw(t, "value")
	}
	return p
}

func drawDims(t *rapid.T) int { return rapid.IntRange(0, space.MaxDimensions).Draw(t, "dims") }

// Both functions, in the words of the documentation: one dimension after the other.
func TestPlainWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, a, b, dims := drawClasses(t), drawPoint(t), drawPoint(t), drawDims(t)
		fails, compared, smaller, larger := 0, 0, 0, 0
		for k := range dims {
			if c[k] == match.AtLeast && b[k] < a[k] || c[k] == match.Equal && b[k] != a[k] {
				fails++
			}
			if c[k] == match.AtLeast {
				compared++
				if a[k] < b[k] {
					smaller++
				}
				if a[k] > b[k] {
					larger++
				}
			}
		}
		satisfied := match.Satisfies(&c, &a, &b, dims)
		strict, pareto := match.Less(true, &c, &a, &b, dims), match.Less(false, &c, &a, &b, dims)
		assert.Equal(t, fails == 0, satisfied)
		assert.Equal(t, compared > 0 && smaller == compared, strict)
		assert.Equal(t, larger == 0 && smaller > 0, pareto)
	})
}

// Two nodes, one by one: with an equal value in one dimension, neither is the smaller as published.
func TestTheSmallerNode(t *testing.T) {
	classes := match.Classes{match.AtLeast, match.AtLeast, match.Ignored}
	less := func(strict bool, a, b space.Point) bool { return match.Less(strict, &classes, &a, &b, 3) }
	assert.True(t, less(true, space.Point{1, 1, 9}, space.Point{2, 2, 0}))
	assert.True(t, less(false, space.Point{1, 1, 9}, space.Point{2, 2, 0}))
	assert.False(t, less(true, space.Point{1, 2}, space.Point{2, 2}))
	assert.True(t, less(false, space.Point{1, 2}, space.Point{2, 2}))
	assert.False(t, less(false, space.Point{1, 3}, space.Point{2, 2}))
	assert.False(t, less(false, space.Point{2, 2, 0}, space.Point{2, 2, 9}))
}

// Order: no point is less than itself, and the order is transitive.
func TestPartialOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, dims, strict := drawClasses(t), drawDims(t), rapid.Bool().Draw(t, "strict")
		a, b, c := drawPoint(t), drawPoint(t), drawPoint(t)
		less := func(a, b space.Point) bool { return match.Less(strict, &classes, &a, &b, dims) }
		assert.False(t, less(a, a))
		assert.False(t, less(a, b) && less(b, a))
		if less(a, b) && less(b, c) {
			assert.True(t, less(a, c))
		}
	})
}

// Monotone: a larger node that is equal where that is demanded satisfies what a smaller one does.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, dims := drawClasses(t), drawDims(t)
		job, small, large := drawPoint(t), drawPoint(t), drawPoint(t)
		for k := range classes {
			if classes[k] == match.Equal {
				large[k] = small[k]
			}
		}
		if match.Less(false, &classes, &small, &large, dims) && match.Satisfies(&classes, &job, &small, dims) {
			assert.True(t, match.Satisfies(&classes, &job, &large, dims))
		}
	})
}

// Blind: the value of a point in a dimension that is not compared, or not there, changes no answer.
func TestBlind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, dims := drawClasses(t), drawDims(t)
		a, b, other := drawPoint(t), drawPoint(t), drawPoint(t)
		changed := b
		for k := range classes {
			if k >= dims || classes[k] == match.Ignored {
				changed[k] = other[k]
			}
		}
		assert.Equal(t, match.Satisfies(&classes, &a, &b, dims), match.Satisfies(&classes, &a, &changed, dims))
		for _, strict := range []bool{false, true} {
			assert.Equal(t, match.Less(strict, &classes, &a, &b, dims), match.Less(strict, &classes, &a, &changed, dims))
			assert.Equal(t, match.Less(strict, &classes, &b, &a, dims), match.Less(strict, &classes, &changed, &a, dims))
		}
	})
}

func TestValid(t *testing.T) {
	for k := range space.MaxDimensions {
		var c match.Classes
		for class := match.AtLeast; class <= match.Ignored; class++ {
			c[k] = class
			assert.True(t, c.Valid())
		}
		c[k] = match.Ignored + 1
		assert.False(t, c.Valid())
	}
}

package match

import "github.com/canvass-grid/canvass/protocol/space"

// Class is how a requirement is compared with a resource in one dimension.
type Class uint8

// The classes.
const (
	AtLeast Class = iota // the resource is at least what is required
	Equal                // the resource equals the requirement
	Ignored              // any resource will do
)

// Classes are the classes of all dimensions. The zero value compares all of them by size.
type Classes [space.MaxDimensions]Class

// Valid reports whether all classes exist.
func (c *Classes) Valid() bool {
	for _, class := range c {
		if class > Ignored {
			return false
		}
	}
	return true
}

// Satisfies reports whether a resource meets a requirement in each of the first dims dimensions.
func Satisfies(classes *Classes, requirement, resource *space.Point, dims int) bool {
	for k := range dims {
		switch classes[k] {
		case AtLeast:
			if requirement[k] > resource[k] {
				return false
			}
		case Equal:
			if requirement[k] != resource[k] {
				return false
			}
		}
	}
	return true
}

// Less reports whether a is smaller than b, among those of the first dims dimensions that are
// compared by size. Strict, a is smaller in all of them, as section 4.2 has it. Otherwise a is
// larger in none and smaller in at least one.
func Less(strict bool, classes *Classes, a, b *space.Point, dims int) bool {
	smaller := false
	for k := range dims {
		switch {
		case classes[k] != AtLeast:
		case a[k] > b[k] || strict && a[k] == b[k]:
			return false
		case a[k] < b[k]:
			smaller = true
		}
	}
	return smaller
}

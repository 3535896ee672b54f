// Package values names the first part in which two values differ, so that an error can say which
// field an encoding forgets.
//
// It guarantees that values which [reflect.DeepEqual] takes for equal do not differ, whether their
// fields are exported or not. It assumes that values hold no functions and no cycles, as states and
// messages do.
package values

package blame

// Log notes which function is running. The zero value is ready.
type Log struct {
	names []string
	now   int // the number of the running function; 0: none
}

// Add gives a function a number.
func (l *Log) Add(name string) (number int) {
	l.names = append(l.names, name)
	return len(l.names)
}

// Enter notes that a function begins, and returns what Leave needs.
func (l *Log) Enter(number int) (before int) {
	before, l.now = l.now, number
	return before
}

// Leave notes that a function has returned. It is not called if the function panics.
func (l *Log) Leave(before int) { l.now = before }

// Reset forgets what is running, as before another task.
func (l *Log) Reset() { l.now = 0 }

// Running names the innermost function that is running, or that has panicked. It returns "" if
// there is none.
func (l *Log) Running() string {
	if l.now == 0 {
		return ""
	}
	return l.names[l.now-1]
}

// F0 returns a function without arguments that notes its calls; nil if it is nil.
func F0[R any](l *Log, name string, f func() R) func() R {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func() R {
		before := l.Enter(number)
		r := f()
		l.Leave(before)
		return r
	}
}

// F1 returns a function of one argument that notes its calls; nil if it is nil.
func F1[A, R any](l *Log, name string, f func(A) R) func(A) R {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func(a A) R {
		before := l.Enter(number)
		r := f(a)
		l.Leave(before)
		return r
	}
}

// F2 returns a function of two arguments that notes its calls; nil if it is nil.
func F2[A, B, R any](l *Log, name string, f func(A, B) R) func(A, B) R {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func(a A, b B) R {
		before := l.Enter(number)
		r := f(a, b)
		l.Leave(before)
		return r
	}
}

// F3 returns a function of three arguments that notes its calls; nil if it is nil.
func F3[A, B, C, R any](l *Log, name string, f func(A, B, C) R) func(A, B, C) R {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func(a A, b B, c C) R {
		before := l.Enter(number)
		r := f(a, b, c)
		l.Leave(before)
		return r
	}
}

// Do2 returns a function without a result that notes its calls; nil if it is nil.
func Do2[A, B any](l *Log, name string, f func(A, B)) func(A, B) {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func(a A, b B) {
		before := l.Enter(number)
		f(a, b)
		l.Leave(before)
	}
}

// Do1 returns a function without a result that notes its calls; nil if it is nil.
func Do1[A any](l *Log, name string, f func(A)) func(A) {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func(a A) {
		before := l.Enter(number)
		f(a)
		l.Leave(before)
	}
}

// Do0 returns a function without arguments that notes its calls; nil if it is nil.
func Do0(l *Log, name string, f func()) func() {
	if f == nil {
		return nil
	}
	number := l.Add(name)
	return func() {
		before := l.Enter(number)
		f()
		l.Leave(before)
	}
}

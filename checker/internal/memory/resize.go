package memory

// Resize returns a slice of length n. It reuses the memory, but not the contents, if that suffices.
func Resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}

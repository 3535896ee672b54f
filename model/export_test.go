package model

// RenamedByType is a plain value after two nodes have changed their places.
func RenamedByType[T any](value T, a, b int) T {
	var rename func(T, Renaming) T
	if err := byType(&rename, "value"); err != nil {
		panic(err)
	}
	moves := movesOf([][]int{{a, b}})
	return rename(value, Renaming{move: &moves[1]})
}

// Shares is how many shares the damages of encodings have.
const Shares = shares

// Damages returns copies of the damages of an encoding.
func Damages(encoded []byte, turn int) (all [][]byte) {
	for x := range damages(encoded, turn) {
		all = append(all, append([]byte{}, x.src...))
	}
	return all
}

// Sampled returns a new choice of the encodings that are damaged, by tag and length.
func Sampled() func(tag byte, size int) bool {
	s := &sampled{}
	return func(tag byte, size int) bool { return s.wants(kind{tags: [2]byte{tag}}, size) }
}

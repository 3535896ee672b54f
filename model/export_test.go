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

package election

import "fmt"

// String writes a message: candidate 2, elected 3.
func (m Message) String() string {
	if m.Elected {
		return fmt.Sprintf("elected %d", m.ID)
	}
	return fmt.Sprintf("candidate %d", m.ID)
}

// String names the command.
func (Start) String() string { return "start" }

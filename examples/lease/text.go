package lease

import "fmt"

// String writes a message: Ask 1, Grant 1.
func (m Message) String() string {
	if m.Grant {
		return fmt.Sprintf("Grant %d", m.Serial)
	}
	return fmt.Sprintf("Ask %d", m.Serial)
}

// String names the command.
func (Acquire) String() string { return "acquire" }

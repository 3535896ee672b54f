package abd

import "fmt"

// String names the kind.
func (k Kind) String() string { return [...]string{"Ask", "Answer", "Store", "Stored"}[k] }

// String writes the relevant fields of a message: its phase, and a value with its stamp.
func (m Message) String() string {
	if m.Kind == Ask || m.Kind == Stored {
		return fmt.Sprintf("%v #%d", m.Kind, m.Serial)
	}
	return fmt.Sprintf(
		"%v #%d value %d, stamp %d.%d",
		m.Kind,
		m.Serial,
		m.Version.Value,
		m.Version.Stamp.Number,
		m.Version.Stamp.Writer,
	)
}

// String names the command.
func (Begin) String() string { return "begin" }

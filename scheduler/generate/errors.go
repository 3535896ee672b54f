package generate

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/usage"
)

// UnknownError says that there is no generator or no setting of a name.
type UnknownError struct {
	Kind    string   // "generator" or "setting of lublin"
	Name    string   // as it was given
	Nearest []string // similar names, the nearest first; may be empty
	Known   []string // all names of this kind
}

// Error names the unknown value and suggests the likely one.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no %s %q; %s", e.Kind, e.Name, usage.Question(e.Nearest, e.Known))
}

// SettingError says that a setting does not allow a value.
type SettingError struct {
	Generator, Setting, Value string
	Want                      string // "a whole number from 1 to 10000000"
}

// Error names the setting, its value and the values that are allowed.
func (e *SettingError) Error() string {
	return fmt.Sprintf("%s: %s=%s, want %s", e.Generator, e.Setting, e.Value, e.Want)
}

// unknown makes an UnknownError with suggestions.
func unknown(kind, name string, known []string) error {
	return &UnknownError{kind, name, usage.Nearest(name, known), known}
}

package usage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/internal/usage"
)

func TestNearest(t *testing.T) {
	all := []string{"sharcnet", "das2", "metacentrum", "pool", "uniform", "das3"}
	for word, want := range map[string][]string{
		"shacrnet":               {"sharcnet"},
		"SHARCNET":               {"sharcnet"},
		"das":                    {"das2", "das3"},
		"das3":                   {"das3", "das2"},
		"metacenter":             {"metacentrum"},
		"poool":                  {"pool"},
		"completely different":   nil,
		"":                       nil,
		strings.Repeat("p", 999): nil,
	} {
		assert.Equal(t, want, usage.Nearest(word, all), word)
	}
	assert.Equal(t, []string{"can/churn"}, usage.Nearest("chur", []string{"can/row2", "can/churn"}))
	assert.Equal(t, []string{"can/*", "can/row2"}, usage.Nearest("cann", []string{"can/*", "can/row2", "refine/own"}))
	assert.Equal(t, []string{"mean_wait_seconds"}, usage.Nearest("mean_wait", []string{"jobs", "mean_wait_seconds"}))
	assert.Empty(t, usage.Nearest("me", []string{"jobs", "mean_wait_seconds"}), "too short for a beginning")
	assert.Len(t, usage.Nearest("aa", []string{"aab", "aac", "aad", "aae"}), 3)
}

func TestQuestion(t *testing.T) {
	assert.Equal(t, `did you mean "a" or "b"?`, usage.Question([]string{"a", "b"}, []string{"a", "b", "c"}))
	assert.Equal(t, "choose one of a, b, c", usage.Question(nil, []string{"a", "b", "c"}))
}

func ExampleNearest() {
	known := []string{"das2", "sharcnet"}
	fmt.Println(usage.Question(usage.Nearest("shacrnet", known), known))
	// Output: did you mean "sharcnet"?
}

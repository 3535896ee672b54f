package experiment_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// dissertation is the text of Jackson (2015).
func dissertation(t *testing.T) string {
	t.Helper()
	path := os.Getenv("CANVASS_DISSERTATION")
	if path == "" {
		t.Skip("CANVASS_DISSERTATION does not name the text of Jackson (2015)")
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return plain(string(text))
}

// plain is a text without line ends, marks of mathematics, and blanks ahead of commas.
func plain(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "$", "")), " ")
	return strings.ReplaceAll(text, " ,", ",")
}

// Each claim about the dissertation quotes it, at a place, word by word.
func TestQuotesAreInTheSource(t *testing.T) {
	text := dissertation(t)
	quotes := map[string]bool{}
	for _, e := range experiment.All() {
		for _, c := range e.Claims {
			if strings.HasPrefix(c.Published.Place, "Kim") {
				continue
			}
			for _, words := range []string{c.Published.Words, c.Published.Granted} {
				for part := range strings.SplitSeq(words, " … ") {
					quotes[part] = true
					assert.Contains(t, text, plain(part), "%s: %s", e.Name, c.Text)
				}
			}
		}
	}
	assert.Greater(t, len(quotes), 60)
}

// Nothing is published about a claim, or there are the words of the source and their place. Numbers
// that stand apart from words could be ours.
func TestClaimsQuoteTheDissertation(t *testing.T) {
	for _, e := range experiment.All() {
		if !strings.HasPrefix(e.Name, "jackson/") {
			continue
		}
		assert.NotEmpty(t, e.Claims, e.Name)
		for _, c := range e.Claims {
			assert.Empty(t, c.Published.Values, "%s: %s", e.Name, c.Text)
			assert.Equal(t, c.Published.Words != "", c.Published.Place != "", "%s: %s", e.Name, c.Text)
			assert.False(t, c.Published.Words == "" && c.Relation.Kind != "", "%s: %s", e.Name, c.Text)
		}
	}
}

// A number that a quote of a table has is not rounded: the largest error of the original tree is
// printed twice, with one decimal and with two.
func TestQuotesOfTablesHaveAllTheirNumbers(t *testing.T) {
	numbers := regexp.MustCompile(`^[0-9.,]+$`)
	for _, e := range experiment.All() {
		for _, c := range e.Claims {
			if strings.HasPrefix(c.Published.Place, "table 4.1") {
				count := 0
				for _, word := range strings.Fields(c.Published.Words) {
					if numbers.MatchString(word) {
						count++
					}
				}
				assert.Equal(t, 4, count, c.Published.Words)
			}
		}
	}
}

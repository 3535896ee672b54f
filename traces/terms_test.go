package traces_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/traces"
)

const glossary = `== common

idea zone: a box: one of many
state [0,4): a range

== published

message Look at me: which zone?
`

func TestTermsAreReadFromAText(t *testing.T) {
	zone := traces.Term{Kind: traces.IdeaTerm, Word: "zone", Meaning: "a box: one of many"}
	number := traces.Term{Kind: traces.StateTerm, Word: "[0,4)", Meaning: "a range"}
	look := traces.Term{Kind: traces.MessageTerm, Word: "Look at me", Meaning: "which zone?"}
	require.Equal(t, []traces.Term{zone, number, look}, traces.Terms(glossary))
	require.Equal(t, []traces.Term{look, zone, number}, traces.Terms(glossary, "published", "common"))
	changed := traces.Terms(glossary, "common")
	changed[0].Word = "other"
	require.Equal(t, []traces.Term{zone, number}, traces.Terms(glossary, "common"))
}

func TestTermsThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"idea", "idea zone", "idea zone:", "idea : a box", "thing zone: a box"} {
		require.Panics(t, func() { traces.Terms(text) }, text)
	}
	require.Panics(t, func() { traces.Terms(glossary, "corrected") })
}

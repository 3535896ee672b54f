package lint

import (
	"regexp"
	"slices"
	"strings"
)

// A shape is a way of building a sentence that English has and engineers do not use: readers stop
// at it. A match of it counts, unless it lies in a match of one of the exceptions.
type shape struct {
	name    string
	needs   []string // a text without any of these has no match, which is quick to see
	pattern *regexp.Regexp
	except  *regexp.Regexp // nil: no exceptions
}

// Parts of the patterns. A question may begin with "what" or "who", and a paper is quoted verbatim.
const (
	question = `(?:^|[.:;,(|] )wh(?:at|o)\b[^.:;?|]*\?`

	// before "what" as the object of a verb or preposition, or at the start of a clause
	beforeWhat = `(?:^|[.:;,(|] |\b(?:of|to|for|by|with|from|than|in|at|on|after|before|and|or|is|are|` +
		`about|into|not|nor|says?|tells?|knows?|shows?|names?|lists?|finds?|that|does|do|keeps?|reads?|` +
		`sees?|has|prints?|said|but|only|as|between|over|all|means|against|out) )`

	// a verb or adverb that comes between a noun and its relative clause
	between = `(?:waits?|goes|comes?|came|begins?|ends?|ended|dies|died|exists?|lives?|starts?|left|` +
		`arrives?|happens?|remains?|stays?|counts?|holds?|fails?|failed|runs?|changes?|here|there|again|` +
		`away|now|then|too|once|first|early|late)`

	// the same words as nouns, or before a clause that is their object
	nouns = `(?:^|[.:;,(|] |\b(?:the|an?|all|any|some|no|each|every|of|these|those|two|three|latest|earlier|` +
		`former|other|their|its|for|with|to|from|by|and|or|in) )(?:lives|runs?|changes?|ends?|starts?|` +
		`counts?|holds?|fails|first) (?:that|which|whose) \w+`
	claims = `\bholds? that (?:the|a|an|it|no|they) \w*|\b(?:once|now|then|first|too) that (?:is|was|has) `
)

// shapes lists them.
func shapes() []shape {
	list := []struct{ name, needs, pattern, except string }{
		{"what", "what ", beforeWhat + `what \w+`, question + `|\bwhat (?:if|to)\b`},
		{
			"none", "none", `\b(?:of|is|are|was|has|have|with|knows|gets) none\b|\bnone (?:is|are|was|has)\b`,
			`\b(?:if|when|where|while|until|or) (?:\w+ ){0,2}(?:is|are|was|has|have) none\b|\bnone \(\d`,
		},
		{
			"torn", "that ,which ,whose ",
			`\b` + between + ` (?:that|which|whose) (?:is|was|has|had|were|are|have|it|an?|the|no|` +
				`nobody|does|do|did|can|may|must|they|come|comes|came|only|one|this|serve|hold|wait|run|take)\b`,
			nouns + `|` + claims,
		},
		{
			"mind", "know,knew,hear,learn,believe,told,tell",
			`\b(?:knows?|knew|hears?|heard|learns?|learnt|believes?|told|tells?) ` +
				`(?:of|no|nothing|nobody|about|that|whether|which|who|what|it|its|them|the|a|more)\b`, ``,
		},
		{
			"who", "body,whom,ever,who ",
			`\b(?:nobody|somebody|whom|whoever|whatever|wherever|whichever)\b|` +
				`(?:^|[.;,] )who (?:is|was|has|does|waits|asks|takes|leaves|joins|holds|owns|knows|wants)`, question,
		},
		{
			"filler", "besides,same,stand,ever,own,turn,so many,as well,those that,that which,one that,ones that",
			`\b(?:besides|all the same|as they stand|for ever|of its own|in turn of|so many|` +
				`as well as|that which|those that|one that|ones that)\b`, ``,
		},
		{
			"life", "life,lives",
			`\b(?:a|this|its|that|his|earlier|former|one|another|each|whose|the next|new) (?:life|lives)\b|` +
				`\blife begins\b`, ``,
		},
		{"anew", "anew", `\banew\b`, ``},
		{
			"fronted", "of ",
			`\. of (?:all|the|an?|these|those|some|each|both|one) \w+|(?:^|[.:] )of (?:two|several|three|equal) \w+`, ``,
		},
		{
			"duty", "to be,is worth,it is ",
			`\b(?:is to be|are to be|is worth|it is (?:the|an?|by|for|in|of)\b[^.:;]* that)\b`, ``,
		},
	}
	shapes := make([]shape, len(list))
	for i, s := range list {
		shapes[i] = shape{name: s.name, needs: strings.Split(s.needs, ","), pattern: regexp.MustCompile(s.pattern)}
		if s.except != "" {
			shapes[i].except = regexp.MustCompile(s.except)
		}
	}
	return shapes
}

// find returns where in a text, in lower case, the shape begins.
func (s *shape) find(text string) []int {
	if !slices.ContainsFunc(s.needs, func(word string) bool { return strings.Contains(text, word) }) {
		return nil
	}
	var starts []int
	var excepted [][]int
	for _, m := range s.pattern.FindAllStringIndex(text, -1) {
		if s.except != nil && excepted == nil {
			excepted = s.except.FindAllStringIndex(text, -1)
		}
		if !slices.ContainsFunc(excepted, func(e []int) bool { return e[0] < m[1] && m[0] < e[1] }) {
			starts = append(starts, m[0])
		}
	}
	return starts
}

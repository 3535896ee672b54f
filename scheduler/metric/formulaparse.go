package metric

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
)

// Bounds of formulas, which are far above what a person writes.
const (
	longestFormula = 1_000 // bytes
	deepestFormula = 50    // parentheses and operators within each other
)

// ParseFormula reads a formula. The error is a [FormulaError].
func ParseFormula(text string) (*Formula, error) {
	if len(text) > longestFormula {
		return nil, &FormulaError{text[:20] + "…", 1, fmt.Sprintf("it has %d bytes; shorten it to %d", len(text),
			longestFormula)}
	}
	p := &parser{text: text}
	p.next()
	root := p.expression(1)
	if p.err == nil && p.word != "" {
		p.fail(p.column, "%q does not belong here; %s", p.word, p.expected())
	}
	if p.err != nil {
		return nil, p.err
	}
	if root.condition && !root.ofJobs {
		return nil, p.failed(1, "it is a condition, not a number")
	}
	if root.condition {
		return nil, p.failed(1, "it is a condition; share(%s) is the share of jobs for which it holds", text)
	}
	return &Formula{root}, nil
}

// parser reads a formula word by word. After the first error it goes on without effect.
type parser struct {
	text   string
	at     int    // where the next word begins, in bytes
	word   string // the present word; "" at the end
	column int    // its place, from 1, in characters
	depth  int
	err    error
}

// symbols are the words that are neither names nor numbers; those of two characters come first.
var symbols = []string{"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "<", ">", "(", ")", ",", "=", "!"}

// next goes to the next word.
func (p *parser) next() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	p.column = len([]rune(p.text[:p.at])) + 1
	rest := p.text[p.at:]
	switch {
	case rest == "":
		p.word = ""
	case isLetter(rest[0]):
		p.word = name(rest)
	case isDigit(rest[0]) || rest[0] == '.':
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if end < 0 {
			end = len(rest)
		}
		p.word = rest[:end]
	default:
		i := slices.IndexFunc(symbols, func(s string) bool { return strings.HasPrefix(rest, s) })
		if i < 0 {
			p.word = ""
			p.fail(p.column, "%q has no meaning in a formula", string([]rune(rest)[0]))
			return
		}
		p.word = symbols[i]
	}
	p.at += len(p.word)
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }

// name is the name at the beginning of a text. That of a percentile may have decimals: p99.9.
func name(text string) string {
	end := 0
	for end < len(text) && (isLetter(text[end]) || isDigit(text[end])) {
		end++
	}
	if end > 1 && text[0] == 'p' && strings.Trim(text[1:end], "0123456789") == "" && end+1 < len(text) &&
		text[end] == '.' && isDigit(text[end+1]) {
		for end++; end < len(text) && isDigit(text[end]); end++ {
		}
	}
	return text[:end]
}

// percentileNamed reads the name of a percentile, from p0 to p100, in thousandths of a percent.
func percentileNamed(name string) (thousandths int, ok bool) {
	text, isOne := strings.CutPrefix(name, "p")
	whole, decimals, _ := strings.Cut(text, ".")
	if !isOne || whole == "" || len(whole) > 3 || len(decimals) > 3 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+(decimals + "000")[:3], 10, 32)
	return int(n), err == nil && n <= 100*perPercent
}

// failed makes an error.
func (p *parser) failed(column int, format string, args ...any) error {
	return &FormulaError{p.text, column, fmt.Sprintf(format, args...)}
}

// fail notes the first error.
func (p *parser) fail(column int, format string, args ...any) *term {
	if p.err == nil {
		p.err = p.failed(column, format, args...)
	}
	p.word, p.at = "", len(p.text) // so that parsing ends
	return &term{kind: constant, column: column}
}

// expected is a remedy for a word that does not belong where it is.
func (p *parser) expected() string {
	switch p.word {
	case "&&":
		return "write and"
	case "||":
		return "write or"
	case "!":
		return "write not"
	case "=":
		return "write =="
	case ")":
		return "no parenthesis is open"
	case "where":
		return "write it within the parentheses of a statistic, as in mean(wait where nodes > 8)"
	case ",":
		return "only functions have several arguments, as in max(wait, 10)"
	}
	return "write an operator before it: + - * / < <= > >= == != and or"
}

// expression reads a term of operators of at least this precedence. Those of one level are read
// from left to right.
func (p *parser) expression(level int) *term {
	if p.depth++; p.depth > 8*deepestFormula { // a parenthesis takes eight calls
		return p.fail(p.column, "it is nested too deeply; simplify it")
	}
	defer func() { p.depth-- }()
	switch {
	case level == precedence["not"]:
		if p.word != "not" {
			return p.expression(level + 1)
		}
		column := p.column
		p.next()
		return p.operation("not", column, p.expression(level))
	case level == precedence[negative]:
		if p.word != "-" {
			return p.primary()
		}
		column := p.column
		p.next()
		return p.operation(negative, column, p.expression(level))
	}
	left := p.expression(level + 1)
	for n := 0; precedence[p.word] == level; n++ {
		operator, column := p.word, p.column
		if n > 0 && level == precedence["<"] {
			return p.fail(column, "comparisons cannot be chained; write a < b and b < c")
		}
		p.next()
		left = p.operation(operator, column, left, p.expression(level+1))
	}
	return left
}

// operation makes a term of an operator and checks its operands.
func (p *parser) operation(operator string, column int, parts ...*term) *term {
	t := &term{kind: operation, name: operator, parts: parts, column: column}
	ofConditions := operator == "and" || operator == "or" || operator == "not"
	t.condition = ofConditions || precedence[operator] == precedence["<"]
	for _, x := range parts {
		t.ofJobs = t.ofJobs || x.ofJobs
		p.check(x, ofConditions, strings.Replace(operator, negative, "-", 1))
	}
	return t
}

// check refuses a condition in place of a number, and the reverse.
func (p *parser) check(x *term, condition bool, by string) {
	switch {
	case x.condition && !condition:
		p.fail(x.column, "%s takes numbers, but this is a condition", by)
	case !x.condition && condition:
		p.fail(x.column, "%s takes conditions, but this is a number; compare it, as in nodes > 8", by)
	}
}

// primary reads a number, a field, a function or an expression in parentheses.
func (p *parser) primary() *term {
	word, column := p.word, p.column
	switch {
	case word == "":
		return p.fail(column, "the formula ends too early; write a number, a field or a function")
	case word == "(":
		p.next()
		inside := p.expression(1)
		p.close(column)
		return inside
	case isDigit(word[0]) || word[0] == '.':
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return p.fail(column, "%q is not a number; write one such as 3600 or 0.5", word)
		}
		p.next()
		return &term{kind: constant, number: v, column: column}
	case !isLetter(word[0]) || slices.Contains([]string{"and", "or", "not", "where"}, word):
		return p.fail(column, "%q is not a number, a field or a function", word)
	}
	p.next()
	if p.word == "(" {
		return p.function(word, column)
	}
	if fieldNamed(word) == nil {
		return p.fail(column, "no field of a job is called %q; %s", word, meant(word, fieldNames()))
	}
	return &term{kind: field, name: word, ofJobs: true, column: column}
}

func meant(name string, names []string) string {
	return usage.Question(usage.Nearest(name, names), names)
}

// close goes on after a closing parenthesis.
func (p *parser) close(opened int) {
	if p.err == nil && p.word != ")" {
		if p.word == "" {
			p.fail(opened, "this parenthesis is not closed")
			return
		}
		p.fail(p.column, "%q does not belong here; %s", p.word, p.expected())
		return
	}
	p.next()
}

// The functions of the values of one job.
var pointwiseNames = []string{"min", "max", "log", "exp"}

// functionNames lists all functions, for errors.
func functionNames() []string {
	names := slices.Concat(slices.Collect(maps.Keys(statistics)), []string{"p50", "p90", "p99", "log", "exp"})
	slices.Sort(names)
	return names
}

// function reads the arguments of a function.
func (p *parser) function(name string, column int) *term {
	if statisticNamed(name) == nil && !slices.Contains(pointwiseNames, name) {
		return p.fail(column, "no function is called %q; %s", name, meant(name, functionNames()))
	}
	opened := p.column
	p.next()
	t := &term{kind: statistic, name: name, column: column}
	for p.err == nil && p.word != ")" && p.word != "where" {
		t.parts = append(t.parts, p.expression(1))
		if p.word != "," {
			break
		}
		p.next()
		if p.word == ")" || p.word == "where" {
			return p.fail(p.column, "an argument is missing after the comma")
		}
	}
	if p.word == "where" {
		p.next()
		t.where = p.expression(1)
		p.check(t.where, true, "where")
	}
	p.close(opened)
	return p.arguments(t)
}

// arguments checks the arguments of a function.
func (p *parser) arguments(t *term) *term {
	n, ofConditions := len(t.parts), t.name == "share" || t.name == "count"
	if statisticNamed(t.name) == nil || (t.name == "min" || t.name == "max") && n > 1 {
		t.kind = pointwise
	}
	for _, x := range t.parts {
		p.check(x, ofConditions, t.name)
		t.ofJobs = t.ofJobs || t.kind == pointwise && x.ofJobs
	}
	switch {
	case p.err != nil:
	case t.kind == pointwise && t.where != nil:
		return p.fail(t.column, "%s is a function of one job, and only statistics have a where", t.name)
	case n == 0 && t.name == "count" || n == 1 || t.kind == pointwise && n > 1 && t.name != "log" && t.name != "exp":
	case n == 0:
		return p.fail(t.column, "%s takes an argument, as in %s(wait)", t.name, t.name)
	default:
		return p.fail(t.column, "%s takes one argument, not %d", t.name, n)
	}
	if t.kind == statistic && n == 1 && !t.parts[0].ofJobs {
		return p.fail(t.parts[0].column, "%s takes a value for each job, but this is one for the run", t.name)
	}
	return t
}

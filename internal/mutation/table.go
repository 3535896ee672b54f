package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Counts counts the results of some mutants.
type Counts struct {
	All          int
	Check        int // killed by a check
	Test         int // by a test
	Scenario     int // by a scenario
	Equivalent   int // survive: equivalent to the core
	Undetectable int // survive by design
	Open         int // survive without a reason, or were never tried
	untried      int // of the open ones
}

func (t *Counts) add(v Verdict, known bool, class Class) {
	t.All++
	switch {
	case !known:
		t.Open++
		t.untried++
	case v == KilledByCheck:
		t.Check++
	case v == KilledByTest:
		t.Test++
	case v == KilledByScenario:
		t.Scenario++
	case class == Equivalent:
		t.Equivalent++
	case class == Undetectable:
		t.Undetectable++
	default:
		t.Open++
	}
}

// Add adds the mutants of another count.
func (t *Counts) Add(other Counts) {
	t.All += other.All
	t.Check += other.Check
	t.Test += other.Test
	t.Scenario += other.Scenario
	t.Equivalent += other.Equivalent
	t.Undetectable += other.Undetectable
	t.Open += other.Open
	t.untried += other.untried
}

// Share returns the percentage of mutants that were killed, with a decimal, among the mutants that
// were tried and are not equivalent.
func (t Counts) Share(killed int) string { return percent(killed, t.All-t.Equivalent-t.untried) }

// Killed counts the killed mutants.
func (t Counts) Killed() int { return t.Check + t.Test + t.Scenario }

// row is a line of the table.
func (t Counts) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %s | %s |\n", name, t.All, t.Check, t.Test, t.Scenario,
		t.Equivalent, t.Undetectable, t.Open, t.Share(t.Killed()), t.Share(t.Check))
}

func percent(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d %%", 1000*n/of/10, 1000*n/of%10)
}

const head = " | mutants | check | tests | scenarios | equivalent | undetectable | open | killed | by check |\n" +
	"|---|---|---|---|---|---|---|---|---|---|\n"

// Table is the table of docs/mutants.md: the results of the mutants, by package and by operator.
// The last two columns leave out equivalent mutants.
func Table(mutants []Mutant, record *Record, reasons map[string]Reason) string {
	packages := Tally(mutants, record, reasons, func(m Mutant) string { return m.Package })
	operators := Tally(mutants, record, reasons, func(m Mutant) string { return string(m.Operator) })
	var sum Counts
	var b strings.Builder
	b.WriteString("| package" + head)
	for _, folder := range Packages {
		if t, some := packages[folder]; some {
			b.WriteString(t.row(shownName(folder)))
			sum.Add(t)
		}
	}
	b.WriteString(sum.row("all"))
	b.WriteString("\n| operator" + head)
	for _, op := range Operators {
		if t, some := operators[string(op)]; some {
			b.WriteString(t.row(string(op)))
		}
	}
	return b.String()
}

// shownName names a package, and its files if the mutants are limited to some.
func shownName(folder string) string {
	name := "`" + folder + "`"
	if files := parts[folder]; files != nil {
		name += ": `" + strings.Join(files, "`, `") + "`"
	}
	return name
}

// Tally counts mutants by a name that each of them belongs to.
func Tally(
	mutants []Mutant, record *Record, reasons map[string]Reason, name func(Mutant) string,
) map[string]Counts {
	all := map[string]Counts{}
	for _, m := range mutants {
		verdict, known := record.Of(m)
		t := all[name(m)]
		t.add(verdict, known, reasons[m.Key()].Class)
		all[name(m)] = t
	}
	return all
}

// The table stands between these lines.
const (
	tableFile  = "docs/mutants.md"
	tableBegin = "<!-- systematic mutants: begin; make mutants WHAT=all writes this table -->\n"
	tableEnd   = "<!-- systematic mutants: end -->\n"
)

// WriteTable puts the table into docs/mutants.md.
func WriteTable(root string, mutants []Mutant, record *Record, reasons map[string]Reason) error {
	path := filepath.Join(root, filepath.FromSlash(tableFile))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !found || !ends {
		return fmt.Errorf("%s: there is no place for the table, between %q and %q", tableFile, tableBegin, tableEnd)
	}
	table := Table(mutants, record, reasons)
	return os.WriteFile(path, []byte(before+tableBegin+"\n"+table+"\n"+tableEnd+after), 0o600)
}

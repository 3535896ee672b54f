package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tally counts the mutants of a row of the table.
type tally struct{ all, check, test, scenario, equivalent, undetectable, open, unknown int }

func (t *tally) add(v Verdict, known bool, class Class) {
	t.all++
	switch {
	case !known:
		t.unknown++
	case v == KilledByCheck:
		t.check++
	case v == KilledByTest:
		t.test++
	case v == KilledByScenario:
		t.scenario++
	case class == Equivalent:
		t.equivalent++
	case class == Undetectable:
		t.undetectable++
	default:
		t.open++
	}
}

func (t *tally) plus(other tally) {
	t.all += other.all
	t.check += other.check
	t.test += other.test
	t.scenario += other.scenario
	t.equivalent += other.equivalent
	t.undetectable += other.undetectable
	t.open += other.open
	t.unknown += other.unknown
}

// row is a line of the table.
func (t tally) row(name string) string {
	real := t.all - t.equivalent - t.unknown
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %s | %s |\n", name, t.all, t.check, t.test, t.scenario,
		t.equivalent, t.undetectable, t.open+t.unknown, percent(t.check+t.test+t.scenario, real), percent(t.check, real))
}

func percent(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d %%", 1000*n/of/10, 1000*n/of%10)
}

const head = " | mutants | check | tests | scenarios | equivalent | undetectable | open | killed | by check |\n" +
	"|---|---|---|---|---|---|---|---|---|---|\n"

// Table is the table of docs/mutants.md: what became of the mutants, by package and by operator.
// The last two columns leave out equivalent mutants.
func Table(mutants []Mutant, record *Record, reasons map[string]Reason) string {
	packages, operators := map[string]*tally{}, map[Operator]*tally{}
	var sum tally
	for _, m := range mutants {
		v, known := record.Of(m)
		var one tally
		one.add(v, known, reasons[m.Key()].Class)
		if packages[m.Package] == nil {
			packages[m.Package] = &tally{}
		}
		if operators[m.Operator] == nil {
			operators[m.Operator] = &tally{}
		}
		packages[m.Package].plus(one)
		operators[m.Operator].plus(one)
		sum.plus(one)
	}
	var b strings.Builder
	b.WriteString("| package" + head)
	for _, folder := range Packages {
		if t := packages[folder]; t != nil {
			b.WriteString(t.row("`" + folder + "`"))
		}
	}
	b.WriteString(sum.row("all"))
	b.WriteString("\n| operator" + head)
	for _, op := range Operators {
		if t := operators[op]; t != nil {
			b.WriteString(t.row(string(op)))
		}
	}
	return b.String()
}

// The table stands between these lines.
const (
	tableFile  = "docs/mutants.md"
	tableBegin = "<!-- systematic mutants: begin; make mutants-all writes this table -->\n"
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

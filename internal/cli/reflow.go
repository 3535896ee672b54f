package cli

import (
	"strings"
	"unicode/utf8"
)

// Reflow breaks the lines of a text again, at a number of columns; only a longer word exceeds it.
// Paragraphs become as wide as they can. A line that begins with spaces is an item of a list, and
// keeps its place: it continues below its last column.
func Reflow(text string, columns int) string {
	var out []string
	for block := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		last := len(out) - 1
		switch {
		case last >= 0 && isParagraph(block) && isParagraph(out[last]):
			out[last] += " " + strings.TrimSpace(block)
		case last >= 0 && continues(out[last], block):
			out[last] += " " + strings.TrimSpace(block)
		default:
			out = append(out, block)
		}
	}
	var lines []string
	for _, block := range out {
		lines = append(lines, broken(block, columns)...)
	}
	return strings.Join(lines, "\n") + "\n"
}

func isParagraph(line string) bool { return line != "" && line[0] != ' ' }

// continues reports whether a line goes on with an item, below its last column.
func continues(item, line string) bool {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	return strings.HasPrefix(item, " ") && indent > 2 && indent < len(line) && indent == hanging(item)
}

// hanging is where the last column of an item begins: behind its name and some spaces, or, if it
// has no name, where the item begins.
func hanging(item string) int {
	indent := len(item) - len(strings.TrimLeft(item, " "))
	if gap := strings.Index(item[indent:], "  "); gap >= 0 {
		rest := item[indent+gap:]
		return indent + gap + len(rest) - len(strings.TrimLeft(rest, " "))
	}
	return indent
}

// broken breaks a paragraph or an item into lines.
func broken(block string, columns int) []string {
	if utf8.RuneCountInString(block) <= columns || block == "" {
		return []string{block}
	}
	indent, at := 0, 0 // of the following lines; the beginning of the text to break
	if !isParagraph(block) {
		indent, at = hanging(block), hanging(block)
	}
	if indent > columns/2 { // a wide name: the text goes on below it
		at = len(block) - len(strings.TrimLeft(block, " "))
		indent = at + 2
	}
	head := block[:at]
	lines := Wrap(block[at:], columns-max(indent, at))
	for i := range lines {
		if i == 0 {
			lines[i] = head + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", indent) + lines[i]
		}
	}
	return lines
}

// Wrap breaks a text at its spaces into lines of limited length. A word that is longer than a line
// stays whole. There is at least one line.
func Wrap(text string, columns int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= columns:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// Examples breaks the lines of examples for a shell: a remark that does not fit goes above its
// command, and a command goes on behind a backslash.
func Examples(text string, columns int) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if utf8.RuneCountInString(line) <= columns {
			lines = append(lines, line)
			continue
		}
		command, remark, found := strings.Cut(line, "  # ")
		command = strings.TrimRight(command, " ")
		if short := command + "  # " + strings.TrimSpace(remark); utf8.RuneCountInString(short) <= columns {
			lines = append(lines, short)
			continue
		}
		if found {
			lines = append(lines, broken("  # "+strings.TrimSpace(remark), columns)...)
		}
		lines = append(lines, continued(command, columns)...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// continued breaks a command before flags, or else between words.
func continued(command string, columns int) []string {
	const behind = " \\"
	var lines []string
	for utf8.RuneCountInString(command) > columns {
		most := command[:columns-len(behind)]
		at := strings.LastIndex(most, " -")
		if at < columns/3 {
			at = strings.LastIndex(most, " ")
		}
		if strings.TrimSpace(command[:max(at, 0)]) == "" {
			break
		}
		lines = append(lines, command[:at]+behind)
		command = "      " + strings.TrimLeft(command[at:], " ")
	}
	return append(lines, command)
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
	"github.com/canvass-grid/canvass/traces"
)

const figure64 = "../../traces/corpus/published-can-row4-leave-leave.Routable.itf.json"

// madePage is the page of a trace, as the command writes it.
func madePage(t *testing.T, file string) string {
	t.Helper()
	var out, diagnostics bytes.Buffer
	args := []string{"replay", file, "--html", "-"}
	if code := run(catalog.All, scenarios.All, args, strings.NewReader(""), &out, &diagnostics); code != 0 {
		t.Fatalf("exit code %d: %s", code, diagnostics.String())
	}
	return out.String()
}

// seen is the content of a page at a step.
type seen struct {
	Step   string
	States map[string]string // text of the card of a variable, without struck-out parts
	Now    string
	Zones  map[string][]float64 // left, top, right and bottom on the screen
	Nodes  map[string][]float64
	Arrows int // solid ones
	Row    string
}

// look is a script function that returns the content of a page.
const look = `
  const rectangle = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const rectangles = (what) =>
    Object.fromEntries([...document.querySelectorAll(what)].map((e) => [e.dataset.node, rectangle(e)]));
  const look = () => ({
    step: document.getElementById("player").dataset.step,
    states: Object.fromEntries([...document.querySelectorAll(".card")].map((card) => {
      const value = card.querySelector(".value").cloneNode(true);
      for (const gone of value.querySelectorAll("del")) gone.remove();
      return [card.dataset.variable, value.textContent.replace(/ +/g, " ").trim()];
    })),
    now: document.querySelector("[aria-live=polite]").textContent,
    zones: rectangles("#map .zone[data-node]"), nodes: rectangles("#map .disc"),
    arrows: document.querySelectorAll("#map .arrow:not(.past)").length,
    row: document.querySelector(".row.current").dataset.step + " " +
      document.querySelector(".story .current").dataset.step,
  });
`

// Each step shows the states that the trace has there, the step in the diagram, the story and its
// announcement.
func TestPageShowsEachStep(t *testing.T) {
	b := chromium(t)
	want, err := traces.ReadFile(figure64)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Steps []seen }
	b.drive(t, "steps", madePage(t, figure64), look+`
  report.steps = [look()];
  while (!document.getElementById("forward").disabled) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await wait();
    report.steps.push(look());
  }`, &got)
	if len(got.Steps) != len(want.Steps) {
		t.Fatalf("%d steps, want %d", len(got.Steps), len(want.Steps))
	}
	for i, shown := range got.Steps {
		n := fmt.Sprint(i)
		if shown.Step != n || shown.Row != n+" "+n || !strings.HasPrefix(shown.Now, "Step "+n+". ") {
			t.Errorf(
				"step %d: the page is at %q, diagram and story at %q, and announces %q",
				i,
				shown.Step,
				shown.Row,
				shown.Now,
			)
		}
		for _, v := range want.Steps[i].State {
			if is := shown.States[v.Name]; is != orMinus(v.Value) {
				t.Errorf("step %d: %s is shown as %q, want %q", i, v.Name, is, v.Value)
			}
		}
		if flying := strings.Count(network(want.Steps[i]), "->"); shown.Arrows != flying {
			t.Errorf("step %d: %d arrows for %d messages", i, shown.Arrows, flying)
		}
	}
	last := got.Steps[len(got.Steps)-1]
	for _, words := range []string{"Routable is violated", "gets stuck at A", "The second leave begins before"} {
		if !strings.Contains(last.Now, words) {
			t.Errorf("the last step does not announce %q but %q", words, last.Now)
		}
	}
}

func orMinus(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func network(s traces.Step) string {
	i := slices.IndexFunc(s.State, func(v traces.Variable) bool { return v.Name == "network" })
	return s.State[i].Value
}

// Every way to move leads where it should.
func TestPageIsDriven(t *testing.T) {
	b := chromium(t)
	var got struct{ Steps []string }
	b.drive(t, "driven", madePage(t, figure64), `
  const player = document.getElementById("player"), at = () => report.steps.push(player.dataset.step);
  const key = (name, target) => {
    (target || document).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    at();
  };
  const click = (what) => {
    document.querySelector(what).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    at();
  };
  report.steps = [];
  key("ArrowRight"); key("ArrowRight"); key("ArrowLeft"); key("End"); key("ArrowRight");
  key("Home"); key("ArrowLeft"); key("x");
  key("End", document.getElementById("viewer"));
  click("#forward"); click("#last"); click("#back"); click("#first");
  click(".row[data-step='7'] .band"); click("#tale-12 .n");
  const slider = document.getElementById("slider");
  slider.value = 5; slider.dispatchEvent(new Event("input")); at();
  location.hash = "#step-9"; await wait(); await wait(); at();
  const viewer = document.getElementById("viewer");
  document.getElementById("last").click();
  viewer.value = "A"; viewer.dispatchEvent(new Event("change"));
  report.steps.push(document.querySelectorAll("#map .zone").length + " zones");`, &got)
	want := []string{"1", "2", "1", "17", "17", "0", "0", "0", "0", "1", "17", "16", "0", "7", "12", "5", "9",
		"1 zones"}
	if !slices.Equal(got.Steps, want) {
		t.Errorf("the page went\n%v, want\n%v", got.Steps, want)
	}
}

// The colours on the screen are those of the zones' owners, where the zones are; the page is dark
// where that is preferred.
func TestPageOnScreen(t *testing.T) {
	b := chromium(t)
	page := madePage(t, figure64)
	var at struct{ First, Last seen }
	b.drive(t, "places", page, look+`
  report.first = look();
  document.getElementById("last").click();
  await wait();
  report.last = look();`, &at)
	address := b.page(t, "page", page)
	for _, shot := range []struct {
		name  string
		step  string
		seen  seen
		zones string
		dark  bool
	}{
		{"first", "0", at.First, "ABCD", false}, {"last", "19", at.Last, "AD", false}, {"dark", "0", at.First, "ABCD",
			true},
	} {
		picture := b.shoot(t, shot.name, address+"#step-"+shot.step, shot.dark)
		if len(shot.seen.Zones) != len(shot.zones) {
			t.Fatalf("%s: zones %v, want %s", shot.name, shot.seen.Zones, shot.zones)
		}
		for i := range shot.zones {
			owner := shot.zones[i : i+1]
			z := shot.seen.Zones[owner]
			patch := image.Rect(
				int(z[2])-34,
				int(z[1])+8,
				int(z[2])-8,
				int(z[1])+34,
			) // the upper right, where nothing is written
			if is := closest(average(picture, patch), average(picture, image.Rect(2, 2, 10, 10))); is != owner {
				t.Errorf("%s: the zone of %s has the colour of %s", shot.name, owner, is)
			}
		}
		if light := average(picture, image.Rect(2, 2, 10, 10))[0] > 128; light == shot.dark {
			t.Errorf("%s: dark is %t, the page is light: %t", shot.name, shot.dark, light)
		}
	}
}

// On a narrow screen everything still fits: nothing makes the page scroll sideways, and the
// controls are there.
func TestPageFitsNarrowScreens(t *testing.T) {
	b := chromium(t)
	inner, err := json.Marshal(madePage(t, figure64))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Widths   []float64 // of the document, at each step
		Controls [][]float64
		Columns  string
	}
	b.drive(t, "narrow", "<!DOCTYPE html><body></body>", `
  const frame = document.createElement("iframe");
  frame.style = "width: 400px; height: 900px; border: 0";
  frame.srcdoc = `+string(inner)+`;
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  document.body.append(frame);
  await loaded;
  const page = frame.contentDocument;
  report.widths = [];
  do {
    report.widths.push(page.documentElement.scrollWidth);
    page.getElementById("forward").click();
  } while (!page.getElementById("forward").disabled);
  report.widths.push(page.documentElement.scrollWidth);
  report.controls = [...page.querySelectorAll(".controls > *")].map((e) => {
    const r = e.getBoundingClientRect();
    return [r.left, r.right, r.width];
  });
  report.columns = frame.contentWindow.getComputedStyle(page.querySelector(".columns")).gridTemplateColumns;`, &got)
	for i, width := range got.Widths {
		if width > 400 {
			t.Errorf("step %d is %v wide", i, width)
		}
	}
	for i, c := range got.Controls {
		if c[0] < 0 || c[1] > 400 || c[2] < 24 {
			t.Errorf("control %d lies from %v to %v", i, c[0], c[1])
		}
	}
	if len(got.Widths) != 18 || len(got.Controls) != 6 || strings.Contains(got.Columns, " ") {
		t.Errorf("%d steps, %d controls, columns %q", len(got.Widths), len(got.Controls), got.Columns)
	}
}

type rgb [3]float64

// average is the mean colour of a part of a picture.
func average(picture image.Image, part image.Rectangle) rgb {
	var sum rgb
	n := 0.0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			sum[0], sum[1], sum[2], n = sum[0]+float64(r>>8), sum[1]+float64(g>>8), sum[2]+float64(b>>8), n+1
		}
	}
	return rgb{sum[0] / n, sum[1] / n, sum[2] / n}
}

// closest is the node whose colour lies most nearly in the direction in which a colour differs from
// the paper.
func closest(c, paper rgb) string {
	palette := map[string]rgb{"A": {230, 159, 0}, "B": {86, 180, 233}, "C": {0, 158, 115}, "D": {240, 228, 66}}
	best, name := math.Inf(-1), ""
	for node, colour := range palette {
		var dot, a, b float64
		for k := range c {
			x, y := c[k]-paper[k], colour[k]-paper[k]
			dot, a, b = dot+x*y, a+x*x, b+y*y
		}
		if cosine := dot / (math.Sqrt(a*b) + 1e-9); cosine > best {
			best, name = cosine, node
		}
	}
	return name
}

// hostile is a run whose every text is markup, of a machine that draws nothing.
func hostile() *traces.Trace {
	const bad = `</script><img src=x onerror="window.hostile=1"><script>window.hostile=2</script>'"&amp;{{.}}` +
		"`${window.hostile=3}"
	state := func(s string) []traces.Variable {
		return []traces.Variable{{Name: bad, Value: s}, {Name: "__proto__", Value: bad}, {Name: "network", Value: ""}}
	}
	return &traces.Trace{Loop: -1, Header: traces.Header{
		Model: bad, Property: bad, Shape: traces.Always, Verdict: traces.Violated, Trigger: -1,
		Bounds: bad, Commit: bad, Go: bad, Description: bad,
	}, Steps: []traces.Step{
		{Action: traces.Action{Kind: traces.Init}, State: state("1")},
		{
			Action:  traces.Action{Kind: "command", Node: bad, Text: bad},
			State:   state(bad),
			Effects: []string{"send " + strings.ReplaceAll(bad, " ", "") + "->__proto__ " + bad, "event " + bad},
		},
		{
			Action: traces.Action{Kind: "deliver", Node: "__proto__", Peer: strings.ReplaceAll(bad, " ", ""),
				Text: bad},
			State: state("2 " + bad),
		},
	}}
}

// Texts are shown as they are, and never taken for markup or script.
func TestPageBearsHostileTexts(t *testing.T) {
	b := chromium(t)
	run := hostile()
	bad := run.Header.Model
	var page bytes.Buffer
	err := traces.WriteHTML(
		&page,
		run,
		traces.Page{
			Model:    bad,
			Property: bad,
			Why:      bad,
			Words:    []traces.Term{{Kind: traces.MessageTerm, Word: "</script><img", Meaning: bad}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Hostile         any
		Images, Scripts int
		Title           string
		Steps           []seen
	}
	b.drive(t, "hostile", page.String(), look+`
  report.steps = [look()];
  document.getElementById("forward").click(); report.steps.push(look());
  document.getElementById("forward").click(); report.steps.push(look());
  await wait();
  report.hostile = window.hostile ?? null;
  report.images = document.images.length;
  report.scripts = document.scripts.length;
  report.title = document.title;`, &got)
	if got.Hostile != nil || got.Images != 0 || got.Scripts != 3 {
		t.Errorf("a text was run: %v, %d images, %d scripts", got.Hostile, got.Images, got.Scripts)
	}
	if !strings.Contains(got.Title, bad) {
		t.Errorf("the title is %q", got.Title)
	}
	for i, s := range run.Steps {
		for _, v := range s.State[:1] {
			if is := got.Steps[i].States[v.Name]; is != v.Value {
				t.Errorf("step %d: %s is shown as %q, want %q", i, v.Name, is, v.Value)
			}
		}
	}
}

// At every width the page is no wider than its window, the diagram is beside the map only if it
// fits there, and the numbers of the steps stay in view while it is scrolled. No node is labelled
// twice with one text, and no label ends in two marks of a cut.
func TestPageFitsItsWindow(t *testing.T) {
	b := chromium(t)
	page := madePage(t, "../../traces/corpus/lease-limit-minority.Mourned.itf.json")
	for _, width := range []int{400, 1000, 1400} {
		b.size = fmt.Sprintf("%d,1600", width)
		var got struct {
			Window, Page, Box, Left float64
			Diagram                 float64
			Numbers                 []float64
			Labels                  []string
			Twice                   int
			Now                     string
		}
		b.drive(t, fmt.Sprintf("width-%d", width), page, `
  document.getElementById("last").click();
  await wait();
  const box = document.getElementById("sequence-scroll"), rectangle = box.getBoundingClientRect();
  box.dispatchEvent(new Event("scroll")); // a browser without a screen may draw no frame for it
  report.window = window.innerWidth;
  report.page = document.documentElement.scrollWidth;
  report.left = rectangle.left;
  report.box = box.clientWidth;
  report.diagram = box.scrollWidth;
  report.numbers = [...box.querySelectorAll(".number")].map((e) => e.getBoundingClientRect().left);
  report.labels = [...document.querySelectorAll("#map .label")].map((e) => e.textContent);
  report.twice = [...document.querySelectorAll("#states .card")].filter((e) =>
    e.querySelector("small")?.textContent === e.querySelector(".value")?.textContent).length;
  report.now = document.getElementById("now").textContent;`, &got)
		if got.Page > got.Window {
			t.Errorf("%d: the page is %v pixels wide, its window %v", width, got.Page, got.Window)
		}
		if width > 700 && got.Diagram > got.Box {
			t.Errorf("%d: the diagram is %v pixels wide, its box %v", width, got.Diagram, got.Box)
		}
		for _, at := range got.Numbers {
			if at < got.Left || at > got.Left+60 {
				t.Errorf("%d: the number of a step is at %v, the box begins at %v", width, at, got.Left)
			}
		}
		if down := strings.Count(strings.Join(got.Labels, "\n"), "down"); down != 3 || got.Twice > 0 {
			t.Errorf("%d: three nodes are down, and %d labels of %q and %d cards twice say so",
				width, down, got.Labels, got.Twice)
		}
		for _, label := range got.Labels {
			if strings.Count(label, "…") > 1 {
				t.Errorf("%d: the label %q is cut twice", width, label)
			}
		}
		if !slices.Contains(got.Labels, "… condemned 1}") {
			t.Errorf("%d: no label of %q has the end of a state", width, got.Labels)
		}
		if !strings.Contains(got.Now, "Step 8 repeats forever.") || strings.Contains(got.Now, "ends here") {
			t.Errorf("%d: the last step says %q", width, got.Now)
		}
	}
}

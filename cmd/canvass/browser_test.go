package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium. The tests of the page use only its command line: it opens a page
// at a step, dumps it and takes a screenshot. A script that is appended to a copy of the page does
// the rest.
type browser struct {
	program, folder string
	size            string // of the window, in pixels
}

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return &browser{program: program, folder: t.ArtifactDir(), size: "1280,1600"}
		}
	}
	const missing = "the page is not tested in a browser: there is no Chromium (Debian package chromium)"
	if os.Getenv("CANVASS_REQUIRE_TOOLS") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return nil
}

// slow is how long a browser may take at most: it is killed then, and the test fails.
const slow = 2 * time.Minute

// run opens an address and returns what the browser prints. A message of the page on its console
// fails the test.
func (b *browser) run(t *testing.T, address string, flags ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), slow)
	defer cancel()
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // not t.TempDir: processes that the browser leaves behind may still write there
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
		"--disable-extensions",
		"--disable-background-networking", "--user-data-dir=" + profile, "--enable-logging=stderr", "--v=0",
		"--virtual-time-budget=3000", "--window-size=" + b.size,
	}, flags...)
	cmd := exec.CommandContext(ctx, b.program, append(args, address)...)
	var out, console bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &console
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", b.program, errors.Join(err, ctx.Err()), console.String())
	}
	for line := range strings.Lines(console.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the page logs: %s", line)
		}
	}
	return out.Bytes()
}

// page writes a page among the artifacts and returns its address.
func (b *browser) page(t *testing.T, name, text string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(b.folder, name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(path)
}

// dump returns the elements of a page once its script has run.
func (b *browser) dump(t *testing.T, address string) string {
	t.Helper()
	return string(b.run(t, address, "--dump-dom"))
}

// drive runs a script in a copy of the page and returns the object that it leaves in report.
func (b *browser) drive(t *testing.T, name, page, script string, report any) {
	t.Helper()
	const frame = `<script>
const report = {};
const wait = () => new Promise((done) => setTimeout(done, 20));
(async () => {
  await wait();
  %
  const out = document.createElement("pre");
  out.id = "report";
  out.textContent = JSON.stringify(report);
  document.body.append(out);
})();
</script></body>`
	driven := strings.Replace(page, "</body>", strings.Replace(frame, "%", script, 1), 1)
	dumped := b.dump(t, b.page(t, name, driven))
	found := regexp.MustCompile(`(?s)<pre id="report">(.*?)</pre>`).FindStringSubmatch(dumped)
	if found == nil {
		t.Fatalf("%s: the script did not come to its end", name)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), report); err != nil {
		t.Fatal(err)
	}
}

// shoot takes a screenshot of a page.
func (b *browser) shoot(t *testing.T, name, address string, dark bool, flags ...string) image.Image {
	t.Helper()
	scheme := 1
	if dark {
		scheme = 0
	}
	file := filepath.Join(b.folder, name+".png")
	flags = append(flags, "--screenshot="+file, "--blink-settings=preferredColorScheme="+strconv.Itoa(scheme))
	b.run(t, address, flags...)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

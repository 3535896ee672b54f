package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// fake is a grid with one job, "known", which ends when asked.
type fake struct {
	api.Grid // for methods that the tests do not call
	job      *jobs.Record
	asked    []string
}

func (f *fake) Submit(_ context.Context, s api.Submission) (*jobs.Record, error) {
	if err := s.Spec.Validate(); err != nil {
		return nil, err
	}
	f.job.Spec, f.job.Key = s.Spec, s.Key
	return f.job, nil
}

func (f *fake) Job(_ context.Context, id string) (*jobs.Record, error) {
	if id != f.job.ID {
		return nil, fmt.Errorf("%w: %q", jobs.ErrUnknown, id)
	}
	return f.job, nil
}

func (f *fake) Wait(ctx context.Context, id string) (*jobs.Record, error) {
	if f.asked = append(f.asked, id); len(f.asked) > 1 {
		f.job.State = jobs.Succeeded
	}
	return f.Job(ctx, id)
}

func (f *fake) Output(_ context.Context, _ string, q api.OutputQuery) (api.Output, error) {
	text := fmt.Sprint(q)
	if q.Stream == "cut" {
		text = "" // shorter than announced
	}
	return api.Output{ReadCloser: io.NopCloser(strings.NewReader(text)), Size: q.Offset + 23}, nil
}

func (f *fake) Events(_ context.Context, after uint64, wait bool) ([]api.Event, error) {
	if after > 1 {
		return nil, api.ErrCursor
	}
	return []api.Event{{Cursor: after + 1, Text: fmt.Sprint("wait ", wait)}}, nil
}

func (f *fake) Token(_ context.Context, q api.TokenQuery) (api.Token, error) {
	return api.Token{Text: "secret", Uses: q.Uses}, nil
}

func (f *fake) Hold(ctx context.Context, id string) (*jobs.Record, error) {
	f.asked = append(f.asked, "hold")
	return f.Job(ctx, id)
}

func (f *fake) CancelLater(ctx context.Context, id string) (*jobs.Record, error) {
	f.asked = append(f.asked, "cancel-later")
	return f.Job(ctx, id)
}

func (f *fake) Remove(context.Context, string) (*jobs.Record, error) { return nil, jobs.ErrRuns }

func (f *fake) Elements(_ context.Context, id string, sizes bool) ([]api.Element, error) {
	if !sizes {
		return nil, nil
	}
	return []api.Element{{Job: id}}, nil
}

func (f *fake) Put(_ context.Context, content io.Reader) (api.Content, error) {
	text, err := io.ReadAll(content)
	return api.Content{Digest: string(text), Size: int64(len(text))}, err
}

func (f *fake) Open(_ context.Context, digest string) (io.ReadCloser, error) {
	if digest[0] == '0' {
		return nil, blobs.ErrLost
	}
	return io.NopCloser(strings.NewReader("content")), nil
}

func (f *fake) Why(_ context.Context, id string) (api.Reasons, error) {
	return api.Reasons{Version: api.Version, Job: id, Reasons: []string{"It is held."}}, nil
}

func (f *fake) Drain(_ context.Context, q api.DrainQuery) (api.NodeReport, error) {
	f.asked = append(f.asked, fmt.Sprint(q))
	return api.NodeReport{Draining: !q.Off}, nil
}

func (f *fake) Metrics(context.Context) (string, error) { return "canvass_some 1\n", nil }

func (f *fake) Health(context.Context) (api.Health, error) {
	return api.Health{Live: true, Reasons: []string{"It has no lease."}}, nil
}

func (f *fake) Report(_ context.Context, name string) (api.NodeReport, error) {
	return api.NodeReport{Name: name}, nil
}

func (f *fake) Regrid(context.Context) error {
	f.asked = append(f.asked, "regrid")
	return nil
}

// serve serves a fake on a socket.
func serve(t *testing.T) (*fake, *api.Client, string) {
	t.Helper()
	f := &fake{job: &jobs.Record{ID: "known", State: jobs.Running}}
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	s := &http.Server{Handler: api.Handler(f), ReadHeaderTimeout: time.Second}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return f, api.NewClient(socket), socket
}

func TestAClientGetsWhatTheGridAnswers(t *testing.T) {
	f, c, _ := serve(t)
	ctx := t.Context()
	s := api.Submission{Key: "k", Spec: jobs.Spec{Command: []string{"true"}, Tasks: 3, Timeout: time.Minute}}
	r, err := c.Submit(ctx, s)
	require.NoError(t, err)
	assert.Equal(t, s.Spec, r.Spec)
	assert.Equal(t, "k", f.job.Key)

	out, err := c.Output(ctx, "known", api.OutputQuery{Attempt: -1, Rank: 2, Stream: "stderr", Offset: 70_000, Most: 100})
	require.NoError(t, err)
	text, err := io.ReadAll(out)
	require.NoError(t, err)
	assert.Equal(t, "{-1 2 stderr 70000 100}", string(text))
	assert.Equal(t, int64(70_023), out.Size)
	require.NoError(t, out.Close())

	out, err = c.Output(ctx, "known", api.OutputQuery{Stream: "cut"})
	require.NoError(t, err)
	_, err = io.ReadAll(out)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, out.Close())

	token, err := c.Token(ctx, api.TokenQuery{Life: time.Hour, Uses: 20})
	require.NoError(t, err)
	assert.Equal(t, api.Token{Text: "secret", Uses: 20}, token)

	metrics, err := c.Metrics(ctx)
	require.NoError(t, err)
	assert.Equal(t, "canvass_some 1\n", metrics)
}

func TestProbesAnswerByStatus(t *testing.T) {
	_, c, socket := serve(t)
	h, err := c.Health(t.Context())
	require.NoError(t, err)
	assert.Equal(t, api.Health{Live: true, Reasons: []string{"It has no lease."}}, h)
	for path, status := range map[string]int{"livez": http.StatusOK, "readyz": http.StatusServiceUnavailable} {
		got, text := get(t, socket, path)
		assert.Equal(t, status, got, path)
		assert.Contains(t, string(text), `"reasons":["It has no lease."]`)
	}
}

func TestProfilesAreThoseOfGo(t *testing.T) {
	_, _, socket := serve(t)
	for _, path := range []string{"heap", "goroutine", "trace?seconds=0.01", "profile?seconds=1"} {
		status, body := get(t, socket, "debug/pprof/"+path)
		assert.Equal(t, http.StatusOK, status, path)
		assert.NotEmpty(t, body, path)
	}
}

// get asks as a program would that does not know this package.
func get(t *testing.T, socket, path string) (int, []byte) {
	t.Helper()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	plain := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	resp, err := plain.Get("http://canvass/" + path)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, text
}

func TestAClientWaitsUntilTheJobHasEnded(t *testing.T) {
	f, c, _ := serve(t)
	r, err := c.Wait(t.Context(), "known")
	require.NoError(t, err)
	assert.Equal(t, jobs.Succeeded, r.State)
	assert.Len(t, f.asked, 2)
}

func TestErrorsKeepTheirIdentity(t *testing.T) {
	_, c, _ := serve(t)
	ctx := t.Context()
	_, err := c.Job(ctx, "other/../job")
	require.ErrorIs(t, err, jobs.ErrUnknown)
	assert.ErrorContains(t, err, `"other/../job"`)
	_, err = c.Submit(ctx, api.Submission{})
	require.ErrorIs(t, err, jobs.ErrSpec)
	_, err = c.Events(ctx, 7, false)
	require.ErrorIs(t, err, api.ErrCursor)
}

func TestEventsComeAsTheyHappen(t *testing.T) {
	_, c, _ := serve(t)
	all, err := c.Events(t.Context(), 0, false)
	require.NoError(t, err)
	assert.Equal(t, []api.Event{{Cursor: 1, Text: "wait false"}}, all)
	all, err = c.Events(t.Context(), 1, true)
	require.NoError(t, err)
	assert.Equal(t, []api.Event{{Cursor: 2, Text: "wait true"}}, all)
}

func TestContentsPassAsTheyAre(t *testing.T) {
	_, c, _ := serve(t)
	got, err := c.Put(t.Context(), strings.NewReader("any bytes"))
	require.NoError(t, err)
	assert.Equal(t, api.Content{Digest: "any bytes", Size: 9}, got)
	r, err := c.Open(t.Context(), strings.Repeat("1", 64))
	require.NoError(t, err)
	defer r.Close()
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "content", string(text))
	_, err = c.Open(t.Context(), strings.Repeat("0", 64))
	require.ErrorIs(t, err, blobs.ErrLost)
	_, err = c.Open(t.Context(), "../secret")
	require.ErrorIs(t, err, jobs.ErrSpec)
}

func TestWhatUsersDoWithJobs(t *testing.T) {
	f, c, _ := serve(t)
	r, err := c.Hold(t.Context(), "known")
	require.NoError(t, err)
	assert.Equal(t, "known", r.ID)
	_, err = c.CancelLater(t.Context(), "known")
	require.NoError(t, err)
	_, err = c.Remove(t.Context(), "known")
	require.ErrorIs(t, err, jobs.ErrRuns)
	all, err := c.Elements(t.Context(), "known", true)
	require.NoError(t, err)
	assert.Len(t, all, 1)
	why, err := c.Why(t.Context(), "known")
	require.NoError(t, err)
	assert.Equal(t, []string{"It is held."}, why.Reasons)
	report, err := c.Drain(t.Context(), api.DrainQuery{Node: "B.2", Limit: time.Minute, Yes: true})
	require.NoError(t, err)
	assert.True(t, report.Draining)
	report, err = c.Drain(t.Context(), api.DrainQuery{Off: true})
	require.NoError(t, err)
	assert.False(t, report.Draining)
	require.NoError(t, c.Regrid(t.Context()))
	assert.Equal(t, []string{"hold", "cancel-later", "{B.2 1m0s false true}", "{ 0s true false}", "regrid"}, f.asked)
}

func TestASocketThatNobodyServes(t *testing.T) {
	_, err := api.NewClient(filepath.Join(t.TempDir(), "none")).Jobs(t.Context(), api.ListQuery{})
	assert.ErrorIs(t, err, api.ErrNobody)
}

// loses serves a socket whose daemon ends in the middle of the first request. It starts again some
// time later, and has ended when the test ends.
func loses(t *testing.T) (socket string) {
	socket = filepath.Join(t.TempDir(), "s")
	first, err := net.Listen("unix", socket)
	require.NoError(t, err)
	server := &http.Server{Handler: api.Handler(&fake{job: &jobs.Record{ID: "known"}}), ReadHeaderTimeout: time.Second}
	done := make(chan struct{})
	t.Cleanup(func() {
		_ = first.Close()
		_ = server.Close()
		<-done
	})
	go func() {
		defer close(done)
		if conn, err := first.Accept(); err == nil {
			_ = conn.Close()
		}
		_ = first.Close()
		time.Sleep(300 * time.Millisecond) // the client finds no server
		if again, err := net.Listen("unix", socket); err == nil {
			_ = server.Serve(again) // returns at once if the test has ended
			_ = again.Close()
		}
	}()
	return socket
}

func TestADaemonThatComesBack(t *testing.T) {
	job := api.Submission{Key: "k", Spec: jobs.Spec{Command: []string{"true"}}}
	r, err := api.NewClient(loses(t)).Submit(t.Context(), job)
	require.NoError(t, err)
	assert.NotEmpty(t, r.ID)

	job.Key = "" // it may have been taken: to ask again could make two jobs
	_, err = api.NewClient(loses(t)).Submit(t.Context(), job)
	require.ErrorIs(t, err, api.ErrStopped)
	require.ErrorContains(t, err, "has ended before it answered")
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	_, _, socket := serve(t)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial}}
	for _, test := range []struct{ method, path, body string }{
		{"POST", "/v1/jobs", `{"spec": {"command": ["true"], "colour": "red"}}`},
		{"POST", "/v1/jobs", "no JSON"},
		{"POST", "/v1/jobs", `{"key": "` + strings.Repeat("x", api.BodyLimit) + `"}`},
		{"GET", "/v1/jobs/known?wait=-1", ""},
		{"GET", "/v1/jobs/known?wait=NaN", ""},
		{"GET", "/v1/jobs/known?wait=Inf", ""},
		{"GET", "/v1/jobs/known?wait=1e300", ""},
		{"GET", "/debug/pprof/trace?seconds=NaN", ""},
		{"GET", "/debug/pprof/profile?seconds=86400", ""},
		{"GET", "/debug/pprof/heap?seconds=1e9", ""},
		{"GET", "/v1/jobs/known/output?offset=-1", ""},
		{"GET", "/v1/jobs/known/output?rank=two", ""},
		{"GET", "/v1/events?after=x", ""},
		{"GET", "/v1/blobs/x", ""},
		{"POST", "/v1/drain?limit=-1s", ""},
		{"POST", "/v1/drain?off=maybe", ""},
	} {
		body := strings.NewReader(test.body)
		r, err := http.NewRequestWithContext(t.Context(), test.method, "http://canvass"+test.path, body)
		require.NoError(t, err)
		resp, err := client.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, "%s %s", test.method, test.path)
	}
}

// A grid of three nodes that rests on one witness is detected from one report.
func TestASoleWitnessIsKnownByOneReport(t *testing.T) {
	a, b, c := protocol.NodeID{}, protocol.NodeID{Address: 1}, protocol.NodeID{Address: 2}
	id, is := (&api.NodeReport{Witnesses: []protocol.NodeID{b}, Known: 3}).SoleWitness()
	require.True(t, is)
	require.Equal(t, b, id)
	_, is = (&api.NodeReport{Witnesses: []protocol.NodeID{b}, Known: 2}).SoleWitness()
	require.False(t, is, "two nodes can have no more")
	_, is = (&api.NodeReport{Witnesses: []protocol.NodeID{a, b, c}, Known: 3}).SoleWitness()
	require.False(t, is)
}

func TestReportNamesTheNode(t *testing.T) {
	_, client, _ := serve(t)
	r, err := client.Report(t.Context(), "C.2")
	require.NoError(t, err)
	require.Equal(t, "C.2", r.Name)
}

// A client that waits tells once that its daemon does not answer, and nothing as long as that
// answers other requests.
func TestAClientTellsThatItsDaemonIsSilent(t *testing.T) {
	for _, hangs := range []bool{true, false} {
		socket := filepath.Join(t.TempDir(), "s")
		l, err := net.Listen("unix", socket)
		require.NoError(t, err)
		release := make(chan struct{})
		handler := http.NewServeMux()
		wait := func(http.ResponseWriter, *http.Request) { <-release }
		probed := make(chan struct{}, 16)
		handler.HandleFunc("GET /v1/jobs", wait)
		if hangs {
			handler.HandleFunc("GET /v1/health", wait)
		} else {
			handler.HandleFunc("GET /v1/health", func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"live":true}`)
				probed <- struct{}{}
			})
		}
		s := &http.Server{Handler: handler, ReadHeaderTimeout: time.Second}
		go func() { _ = s.Serve(l) }()
		said := make(chan string, 16)
		c := api.NewClient(socket).Telling(func(text string) { said <- text })
		done := make(chan error, 1)
		go func() {
			_, err := c.Jobs(t.Context(), api.ListQuery{})
			done <- err
		}()
		if hangs {
			assert.Contains(t, <-said, "the daemon at "+socket+" does not answer")
		} else {
			<-probed
		}
		close(release)
		<-done
		require.NoError(t, s.Close())
		assert.Empty(t, said)
	}
}

// nothing is a grid without jobs and nodes.
type nothing struct{ api.Grid }

func (nothing) Jobs(context.Context, api.ListQuery) (api.Listing, error) { return api.Listing{}, nil }

func (nothing) Cancel(context.Context, string) (*jobs.Record, error) { return nil, jobs.ErrOver }

func (nothing) Release(context.Context, string) (*jobs.Record, error) { return nil, jobs.ErrOver }

func (nothing) AcceptLoss(context.Context, string, string) (*jobs.Record, error) {
	return nil, jobs.ErrKept
}

func (nothing) Nodes(context.Context) ([]api.NodeReport, error) { return nil, nil }

func (nothing) EventsOf(context.Context, string, uint64) ([]api.Event, error) { return nil, nil }

// FuzzRequests sends requests of users: each is answered, and no answer is that of a mistake here.
func FuzzRequests(f *testing.F) {
	for _, seed := range []struct{ method, target, body string }{
		{"POST", "/v1/jobs", `{"spec":{"command":["true"],"tasks":1,"array":{"ranges":[{"first":0,"last":9}]}},"key":"k"}`},
		{"GET", "/v1/jobs/known?wait=0", ""}, {"GET", "/v1/jobs/known/output?rank=0&offset=1&attempt=1", ""},
		{"GET", "/v1/jobs?since=2026-01-01T00:00:00Z&node=A&user=u&key=k", ""}, {"GET", "/v1/events?after=1", ""},
		{"POST", "/v1/tokens", `{"life":1,"uses":1}`}, {"POST", "/v1/drain?limit=1s&off=true", ""},
		{"PUT", "/v1/blobs", "x"}, {"GET", "/v1/blobs/" + strings.Repeat("0", 64), ""},
		{"GET", "/v1/jobs/known/elements?sizes=true", ""}, {"GET", "/debug/pprof/heap?seconds=NaN", ""},
	} {
		f.Add(seed.method, seed.target, []byte(seed.body))
	}
	f.Fuzz(func(t *testing.T, method, target string, body []byte) {
		if strings.Contains(target, "seconds") && !strings.Contains(target, "NaN") || strings.Contains(target, "/debug/") {
			return // it takes a profile
		}
		r, err := http.NewRequestWithContext(t.Context(), method, "http://canvass"+target, bytes.NewReader(body))
		if err != nil || !strings.HasPrefix(target, "/") {
			return
		}
		g := &fake{Grid: nothing{}, job: &jobs.Record{ID: "known", State: jobs.Running}}
		w := httptest.NewRecorder()
		api.Handler(g).ServeHTTP(w, r)
		require.NotEqual(t, http.StatusInternalServerError, w.Code, w.Body.String())
	})
}

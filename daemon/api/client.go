package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrNobody says that no daemon serves a socket.
var ErrNobody = errors.New("no daemon serves the socket")

// Client asks a daemon.
type Client struct {
	socket string
	http   http.Client
	say    func(text string) // nil: nobody listens
	muted  sync.Once
}

var _ Grid = (*Client)(nil)

// strangerError says that a socket is served by another user. Nothing was sent.
type strangerError struct {
	socket string
	user   uint32
}

func (e *strangerError) Error() string {
	return fmt.Sprintf("%v: %s is served by user %d, and not by yours; nothing was sent to it",
		ErrRefused, e.socket, e.user)
}

func (e *strangerError) Unwrap() error { return ErrRefused }

// NewClient returns a client for a socket. It connects with each request.
func NewClient(socket string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, "unix", socket)
		if err != nil {
			return nil, err
		}
		if err := trusted(c, socket); err != nil {
			_ = c.Close() // nothing was sent
			return nil, err
		}
		return c, nil
	}
	return &Client{
		socket: socket, http: http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}},
	}
}

// Telling makes the client report once, while it waits, that the daemon does not answer, or that it
// waits for the daemon to come back. It returns the client.
func (c *Client) Telling(say func(text string)) *Client {
	c.say = say
	return c
}

// How long a client waits for an answer before it asks whether the daemon answers at all, how long
// it waits for that, and how often it asks.
const (
	probeAfter    = time.Second
	probePatience = time.Second
	probeEvery    = 5 * time.Second
)

// attend tells if the daemon does not answer, until the request is done. Some requests are answered
// late on purpose, so the daemon is asked something else meanwhile.
func (c *Client) attend(done <-chan struct{}) {
	for after := probeAfter; ; after = probeEvery {
		select {
		case <-done:
			return
		case <-time.After(after):
		}
		if text := c.probe(); text != "" {
			select {
			case <-done:
			default:
				c.muted.Do(func() { c.say(text) })
			}
			return
		}
	}
}

// probe says how the daemon fails to answer, or nothing if it answers.
func (c *Client) probe() string {
	ctx, stop := context.WithTimeout(context.Background(), probePatience)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://canvass/v1/health", http.NoBody)
	if err != nil {
		return ""
	}
	resp, err := c.http.Do(r)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("the daemon at %s does not answer: it is stopped or hangs. This waits until it goes on; "+
			"another daemon of the grid can be asked with --socket", c.socket)
	}
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	var h Health
	if json.NewDecoder(resp.Body).Decode(&h) == nil && !h.Live {
		return fmt.Sprintf("the daemon at %s is slow to answer. %s", c.socket, strings.Join(h.Reasons, " "))
	}
	return ""
}

// get asks for a value.
func get[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (value T, err error) {
	resp, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return value, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&value); err != nil {
		return value, fmt.Errorf("the answer of the daemon at %s: %w", c.socket, err)
	}
	return value, nil
}

// request returns an answer that is no error. The path is escaped.
func (c *Client) request(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	content, raw := body.(io.Reader)
	if body != nil && !raw {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://canvass"+path+"?"+query.Encode(), content)
	if err != nil {
		return nil, err
	}
	if c.say != nil {
		done := make(chan struct{})
		defer close(done)
		go c.attend(done)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, c.unreached(err)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	var p problem
	if err := json.NewDecoder(io.LimitReader(resp.Body, BodyLimit)).Decode(&p); err != nil {
		return nil, fmt.Errorf("the daemon at %s answers %s", c.socket, resp.Status)
	}
	for _, k := range kinds {
		if k.word == p.Kind {
			return nil, said{p.Error, k.err}
		}
	}
	return nil, errors.New(p.Error)
}

// unreached is the error of a request without an answer.
func (c *Client) unreached(err error) error {
	var op *net.OpError
	var refused *strangerError
	switch {
	case errors.As(err, &refused):
		return refused
	case !errors.As(err, &op) || op.Op != "dial":
		return Errorf(ErrStopped, "the daemon at %s has ended before it answered: %v", c.socket, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: the socket %s is that of another user, or its folder is; ask as that user",
			fs.ErrPermission,
			c.socket)
	case CheckSocket(c.socket) != nil:
		return CheckSocket(c.socket)
	}
	if info, failed := os.Stat(c.socket); failed == nil && info.Mode()&fs.ModeSocket == 0 {
		return fmt.Errorf("%w: %s is %s; the socket of a daemon is api.sock in its folder", ErrNobody, c.socket,
			fileio.KindOf(info.Mode()))
	}
	return fmt.Errorf("%w %s: %w; canvass dev or canvass node agent starts one", ErrNobody, c.socket, op.Err)
}

// socketLimit is how long the path of a Unix socket can be, in bytes.
const socketLimit = 107

// CheckSocket reports that a path is too long for a socket.
func CheckSocket(path string) error {
	if len(path) <= socketLimit {
		return nil
	}
	return fmt.Errorf("the path of the socket, %s, has %d bytes, and at most %d can be used; choose a folder with a "+
		"shorter path", path, len(path), socketLimit)
}

// How long a client waits for a daemon that was there to come back, and how often it looks.
const (
	backLimit = 10 * time.Second
	backPause = 250 * time.Millisecond
)

// again repeats a request that is safe to repeat while the daemon starts again: a daemon that could
// not renew its lease exits, and its service manager starts it again.
func again[T any](ctx context.Context, c *Client, f func() (T, error)) (T, error) {
	value, err := f()
	if !errors.Is(err, ErrStopped) {
		return value, err
	}
	first := err // says why it has ended
	if c.say != nil {
		c.say(fmt.Sprintf("%v. This waits %v for it to come back", first, backLimit))
	}
	for limit := time.Now().Add(backLimit); time.Now().Before(limit); {
		select {
		case <-ctx.Done():
			return value, ctx.Err()
		case <-time.After(backPause):
		}
		if value, err = f(); !errors.Is(err, ErrStopped) && !errors.Is(err, ErrNobody) {
			return value, err
		}
	}
	return value, first
}

// said is an error with its own text, and the identity of another one.
type said struct {
	text string
	is   error
}

func (s said) Error() string { return s.text }
func (s said) Unwrap() error { return s.is }

// Errorf makes an error that matches another one in errors.Is, without its text.
func Errorf(is error, format string, args ...any) error {
	return said{fmt.Sprintf(format, args...), is}
}

// Submit hands a job in. With a key it waits for a daemon that has just ended to come back.
func (c *Client) Submit(ctx context.Context, s Submission) (*jobs.Record, error) {
	ask := func() (*jobs.Record, error) {
		return get[*jobs.Record](ctx, c, http.MethodPost, "/v1/jobs", nil, s)
	}
	if s.Key == "" {
		return ask() // twice would be two jobs
	}
	return again(ctx, c, ask)
}

// Jobs lists jobs, the oldest first.
func (c *Client) Jobs(ctx context.Context, q ListQuery) (Listing, error) {
	query := url.Values{"node": {q.Node}, "key": {q.Key}, "user": {q.User}}
	query.Set("only", strconv.FormatBool(q.Only))
	query.Set("whole", strconv.FormatBool(q.Whole))
	if !q.Since.IsZero() {
		query.Set("since", q.Since.Format(time.RFC3339Nano))
	}
	return get[Listing](ctx, c, http.MethodGet, "/v1/jobs", query, nil)
}

// Job returns a job.
func (c *Client) Job(ctx context.Context, id string) (*jobs.Record, error) {
	return again(ctx, c, func() (*jobs.Record, error) {
		return get[*jobs.Record](ctx, c, http.MethodGet, "/v1/jobs/"+url.PathEscape(id), nil, nil)
	})
}

// waitSeconds is how long one request waits.
const waitSeconds = 30

// Wait returns a job when it has ended. It goes on when the daemon ends and comes back.
func (c *Client) Wait(ctx context.Context, id string) (*jobs.Record, error) {
	query := url.Values{"wait": {strconv.Itoa(waitSeconds)}}
	for {
		r, err := again(ctx, c, func() (*jobs.Record, error) {
			return get[*jobs.Record](ctx, c, http.MethodGet, "/v1/jobs/"+url.PathEscape(id), query, nil)
		})
		if err != nil || r.State.Final() {
			return r, err
		}
	}
}

// Cancel ends a job, and returns when nothing of it can run any more.
func (c *Client) Cancel(ctx context.Context, id string) (*jobs.Record, error) {
	return c.act(ctx, id, "cancel")
}

// CancelLater wants a job to end, and returns when its custodians have noted that.
func (c *Client) CancelLater(ctx context.Context, id string) (*jobs.Record, error) {
	return c.act(ctx, id, "cancel-later")
}

// Hold keeps a job that waits from running.
func (c *Client) Hold(ctx context.Context, id string) (*jobs.Record, error) {
	return c.act(ctx, id, "hold")
}

// Release releases a held job.
func (c *Client) Release(ctx context.Context, id string) (*jobs.Record, error) {
	return c.act(ctx, id, "release")
}

// Remove forgets a job that has ended, with its outputs.
func (c *Client) Remove(ctx context.Context, id string) (*jobs.Record, error) {
	return c.act(ctx, id, "remove")
}

// AcceptLoss asserts, on behalf of the operator, that the disk of one of the two custodians of a
// job is gone: the other one goes on, without the decisions that the lost one made alone.
func (c *Client) AcceptLoss(ctx context.Context, id, lost string) (*jobs.Record, error) {
	query := url.Values{"lost": {lost}}
	return get[*jobs.Record](ctx, c, http.MethodPost, "/v1/jobs/"+url.PathEscape(id)+"/accept-loss", query, nil)
}

func (c *Client) act(ctx context.Context, id, word string) (*jobs.Record, error) {
	return get[*jobs.Record](ctx, c, http.MethodPost, "/v1/jobs/"+url.PathEscape(id)+"/"+word, nil, nil)
}

// Elements returns the elements of an array that have had their turn, and if wanted how much each
// has printed.
func (c *Client) Elements(ctx context.Context, id string, sizes bool) ([]Element, error) {
	query := url.Values{"sizes": {strconv.FormatBool(sizes)}}
	return get[[]Element](ctx, c, http.MethodGet, "/v1/jobs/"+url.PathEscape(id)+"/elements", query, nil)
}

// Put hands a content to the daemon, for the inputs of jobs.
func (c *Client) Put(ctx context.Context, content io.Reader) (Content, error) {
	return get[Content](ctx, c, http.MethodPost, "/v1/blobs", nil, struct{ io.Reader }{content})
}

// Open reads a content. Who reads it compares the digest.
func (c *Client) Open(ctx context.Context, digest string) (io.ReadCloser, error) {
	resp, err := c.request(ctx, http.MethodGet, "/v1/blobs/"+url.PathEscape(digest), nil, nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Drain makes a node leave the grid. Its daemon exits when its tasks have ended or the time is
// over. Its report comes at once.
func (c *Client) Drain(ctx context.Context, q DrainQuery) (NodeReport, error) {
	query := url.Values{"node": {q.Node}, "limit": {q.Limit.String()}, "off": {strconv.FormatBool(q.Off)}}
	query.Set("yes", strconv.FormatBool(q.Yes))
	return get[NodeReport](ctx, c, http.MethodPost, "/v1/drain", query, nil)
}

// Regrid ends the present grid: all daemons end their incarnations with all that they run, and
// found another one when they are started again.
func (c *Client) Regrid(ctx context.Context) error {
	_, err := get[struct{}](ctx, c, http.MethodPost, "/v1/regrid", nil, nil)
	return err
}

// Output returns a part of the output of a rank. Reading it fails if it is cut.
func (c *Client) Output(ctx context.Context, id string, q OutputQuery) (Output, error) {
	query := url.Values{
		"attempt": {strconv.Itoa(q.Attempt)}, "rank": {strconv.Itoa(q.Rank)}, "stream": {q.Stream},
		"offset": {strconv.FormatInt(q.Offset, 10)}, "most": {strconv.FormatInt(q.Most, 10)},
	}
	resp, err := again(ctx, c, func() (*http.Response, error) {
		return c.request(ctx, http.MethodGet, "/v1/jobs/"+url.PathEscape(id)+"/output", query, nil)
	})
	if err != nil {
		return Output{}, err
	}
	size, err := strconv.ParseInt(resp.Header.Get(sizeHeader), 10, 64)
	if err != nil {
		return Output{}, errors.Join(fmt.Errorf("the answer of the daemon at %s: %w", c.socket, err), resp.Body.Close())
	}
	return Output{resp.Body, size}, nil
}

// Why says why a job waits.
func (c *Client) Why(ctx context.Context, id string) (Reasons, error) {
	return get[Reasons](ctx, c, http.MethodGet, "/v1/jobs/"+url.PathEscape(id)+"/why", nil, nil)
}

// Nodes returns what each daemon of the grid says of itself.
func (c *Client) Nodes(ctx context.Context) ([]NodeReport, error) {
	return get[[]NodeReport](ctx, c, http.MethodGet, "/v1/nodes", nil, nil)
}

// Report returns the report of a daemon of the grid; without a name, of the daemon that is asked.
func (c *Client) Report(ctx context.Context, name string) (NodeReport, error) {
	path := "/v1/node"
	if name != "" {
		path = "/v1/nodes/" + url.PathEscape(name)
	}
	return get[NodeReport](ctx, c, http.MethodGet, path, nil, nil)
}

// Events returns the events after a cursor; if wait is set, once there are some.
func (c *Client) Events(ctx context.Context, after uint64, wait bool) ([]Event, error) {
	query := url.Values{"after": {strconv.FormatUint(after, 10)}}
	if wait {
		query.Set("follow", "1")
	}
	resp, err := c.request(ctx, http.MethodGet, "/v1/events", query, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var all []Event
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, BodyLimit)
	for lines.Scan() {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return all, err
		}
		if all = append(all, e); wait {
			break
		}
	}
	return all, lines.Err()
}

// Health returns whether the daemon can do its part.
func (c *Client) Health(ctx context.Context) (Health, error) {
	return get[Health](ctx, c, http.MethodGet, "/v1/health", nil, nil)
}

// Metrics returns the metrics of the daemon as text.
func (c *Client) Metrics(ctx context.Context) (string, error) {
	resp, err := c.request(ctx, http.MethodGet, "/metrics", nil, nil)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// EventsOf returns the events of another daemon after a cursor.
func (c *Client) EventsOf(ctx context.Context, node string, after uint64) ([]Event, error) {
	query := url.Values{"after": {strconv.FormatUint(after, 10)}}
	return get[[]Event](ctx, c, http.MethodGet, "/v1/nodes/"+url.PathEscape(node)+"/events", query, nil)
}

// Token makes a token with which nodes join the grid.
func (c *Client) Token(ctx context.Context, q TokenQuery) (Token, error) {
	return get[Token](ctx, c, http.MethodPost, "/v1/tokens", nil, q)
}

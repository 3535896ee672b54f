package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	hostilePlace  = 100 // of the address of the first hostile member, which no daemon has
	hostilePause  = 10 * milli
	hostileFrames = 16 // of one connection, at most
	hostileWrites = time.Second

	hostilePatience = 200 * milli
	bareBytes       = 40 // of a frame without its payload
)

// hostile is a member of the grid that runs no daemon, and sends to one what no daemon sends. It
// lies about nothing that a member is believed: commands and messages of cores that make sense are
// not among what it sends.
type hostile struct {
	id       *identity.Identity
	config   config.Grid
	endpoint string // that it claims, without a listener
	others   []string
	target   string
	from     net.IP
	r        *rand.Rand

	life     protocol.NodeID
	nonce    uint64
	peer     uint16 // the life of the daemon that is attacked
	sequence uint64
	greeted  int // connections whose hello was answered
	refused  int // others
	frames   int
}

// hostile lets a machine join the grid, and attack a daemon. The fault has happened if the daemon
// has taken it for a member.
func (r *run) hostile(ctx context.Context, number int, f Fault) string {
	h := &hostile{
		target: r.fabric.listen(f.Nodes[0] - 1), r: rand.New(rand.NewPCG(r.Plan.Seed, uint64(number))),
		from: net.IPv4(127, r.fabric.base[0], r.fabric.base[1], byte(hostilePlace+number%hostilePlace)),
	}
	h.endpoint = fmt.Sprintf("%v:%d", h.from, daemonPort)
	for i := range r.Plan.Nodes {
		h.others = append(h.others, r.fabric.door(i))
	}
	r.later(func() error {
		err := r.recruit(ctx, h, filepath.Join(r.Folder, fmt.Sprintf("hostile-%d", number)))
		if err == nil {
			limited, cancel := context.WithTimeout(ctx, f.For)
			defer cancel()
			h.attack(limited)
		}
		return err
	}, func(err error) {
		if h.id != nil {
			r.hostiles = append(r.hostiles, trials.LetterOf(protocol.NodeID{Address: h.id.Address, Incarnation: 1}.String()))
		}
		if h.greeted > 0 {
			r.report.count(Hostile).Happened++
		}
		r.say("%v: %d times taken for a member, %d times refused, %d frames; error %v",
			f, h.greeted, h.refused, h.frames, err)
	})
	return "joins"
}

// recruit gets the certificate of a member.
func (r *run) recruit(ctx context.Context, h *hostile, folder string) error {
	if err := r.enlist(ctx, folder, h.endpoint); err != nil {
		return err
	}
	c, err := config.Load(folder)
	if err != nil {
		return err
	}
	id, err := identity.Load(folder)
	if err != nil {
		return err
	}
	h.id, h.config, h.life = id, c.Grid, protocol.NodeID{Address: id.Address}
	return nil
}

// attack connects again and again.
func (h *hostile) attack(ctx context.Context) {
	for ctx.Err() == nil {
		h.visit(ctx)
		trials.Pause(ctx, hostilePause)
	}
}

// visit makes one connection, of a later life now and then.
func (h *hostile) visit(ctx context.Context) {
	if h.nonce == 0 || h.r.IntN(4) == 0 && h.life.Incarnation < math.MaxUint16 {
		h.life.Incarnation++
		h.nonce, h.sequence = h.r.Uint64()|1, 0
	}
	if h.connect(ctx) {
		h.greeted++
	} else {
		h.refused++
	}
}

// connect makes one connection, says on it what the daemon bears, and reports whether that took
// this for a member.
func (h *hostile) connect(ctx context.Context) bool {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: h.from}, Timeout: time.Second}
	raw, err := dialer.DialContext(ctx, "tcp", h.target)
	if err != nil {
		return false // it is down
	}
	defer raw.Close()
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	defer stop()
	_ = raw.SetDeadline(time.Now().Add(hostileWrites))
	conn := tls.Client(raw, h.id.ClientConfig(time.Now))
	hello, sound := h.hello()
	if _, err := conn.Write(hello); err != nil {
		return false
	}
	if !sound || !h.answered(conn) {
		_ = raw.SetReadDeadline(h.patience())
		_, _ = io.Copy(io.Discard, conn) // why it is refused
		return false
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(io.Discard, conn)
	}()
	for range hostileFrames {
		_ = raw.SetWriteDeadline(time.Now().Add(hostileWrites))
		if _, err := conn.Write(h.frame()); err != nil {
			break
		}
		h.frames++
	}
	_ = raw.SetReadDeadline(h.patience())
	<-over
	return true
}

// patience is until when the daemon may end a connection before this side does.
func (h *hostile) patience() time.Time {
	return time.Now().Add(time.Duration(h.r.Int64N(int64(hostilePatience))))
}

// preface begins a connection: a hello has kind 1, a refusal 2.
func preface(kind byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32(append([]byte("CNVS"), kind), uint32(len(body))), body...)
}

func appendText(dst []byte, text string) []byte {
	return append(protocol.AppendUint(dst, uint64(len(text))), text...)
}

// hello is a hello as a member sends it, or an invalid one.
func (h *hostile) hello() (all []byte, sound bool) {
	mistake := h.r.IntN(24)
	life, nonce, grid, hash := h.life, h.nonce, string(h.id.Grid), h.config.Hash()
	channel, endpoint := h.r.Uint64N(3), h.endpoint
	switch mistake {
	case 0:
		life.Address ^= 1
	case 1:
		life.Incarnation = 0
	case 2:
		grid = strings.Repeat("a", len(grid))
	case 3:
		hash[0] ^= 1
	case 4:
		channel = 3 + h.r.Uint64N(200)
	case 14: // a copy
		nonce++
	case 5, 6, 7: // sound; others dial the wrong daemon
		endpoint = h.others[h.r.IntN(len(h.others))]
	}
	card := appendText(protocol.AppendUint(protocol.AppendNodeID(nil, life), nonce), endpoint)
	signature, err := h.id.Sign(identity.CardPurpose, card)
	if err != nil {
		panic(err) // a key of this program
	}
	b := append(protocol.AppendUint(nil, config.Wire), grid...)
	b = protocol.AppendNodeID(append(b, hash[:]...), life)
	for _, v := range []uint64{nonce, channel, h.r.Uint64() >> h.r.IntN(64), 0} { // the third numbers the connection
		b = protocol.AppendUint(b, v)
	}
	b = protocol.AppendInt(b, int64(trials.BootTime()))
	b = appendText(appendText(b, "hostile"), endpoint)
	switch mistake {
	case 8:
		signature[len(signature)/2] ^= 1
	case 9:
		signature = nil
	}
	b = appendText(b, string(signature))
	switch mistake {
	case 10:
		return preface(1, b[:h.r.IntN(len(b))]), false
	case 11:
		return preface(1, append(b, 0)), false
	case 12:
		return preface(2, b), false
	case 13:
		return binary.BigEndian.AppendUint32([]byte("CNVS\x01"), math.MaxUint32), false
	}
	return preface(1, b), mistake > 4 && mistake != 8 && mistake != 9 && mistake != 14
}

// answered reads the hello of the daemon, and notes its incarnation.
func (h *hostile) answered(conn io.Reader) bool {
	head := make([]byte, len(preface(1, nil)))
	if _, err := io.ReadFull(conn, head); err != nil || head[4] != 1 {
		return false
	}
	body := make([]byte, min(binary.BigEndian.Uint32(head[5:]), transport.MaxPayload))
	if _, err := io.ReadFull(conn, body); err != nil {
		return false
	}
	r := protocol.NewReader(body)
	r.Uint(math.MaxUint16)
	r.Bytes(identity.Digits + len(h.config.Hash()))
	h.peer = r.NodeID().Incarnation
	return r.OK()
}

// The types of frames, and the kinds of messages in those of data.
const (
	dataType  = 1
	ackType   = 2
	cardsType = 3

	coreKind = 1
	callKind = 2
	jobKind  = 3
)

// frame is a frame that no daemon sends. Most can be parsed, with a useless payload.
func (h *hostile) frame() []byte {
	switch h.r.IntN(16) {
	case 0:
		return h.pack(dataType, byte(h.r.IntN(256)), h.peer+1, h.noise(100)) // to a later life
	case 1:
		return h.pack(byte(h.r.IntN(256)), 9, h.peer, h.noise(10))
	case 2:
		h.sequence += h.r.Uint64N(1000)
		return h.pack(dataType, callKind, h.peer, h.call())
	case 3:
		f := h.pack(dataType, callKind, h.peer, h.call())
		binary.BigEndian.PutUint32(f, h.r.Uint32())
		return f
	case 4:
		f := h.pack(ackType, 0, h.peer, nil)
		binary.BigEndian.PutUint64(f[16:], h.r.Uint64()) // acknowledges what was never sent
		return f
	case 5, 6:
		return h.pack(cardsType, 0, h.peer, h.cards())
	case 7:
		return preface(2, h.refusal())
	case 8:
		return h.noise(1000)
	case 9:
		return h.pack(dataType, byte(h.r.IntN(256)), h.peer, h.noise(transport.MaxPayload))
	case 10, 11:
		return h.pack(dataType, coreKind, h.peer, h.core())
	case 12:
		return h.pack(dataType, jobKind, h.peer, append(h.core(), "{}"...))
	}
	return h.pack(dataType, callKind, h.peer, h.call())
}

// pack makes a frame.
func (h *hostile) pack(of, kind byte, to uint16, payload []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(bareBytes-4+len(payload)))
	b = binary.BigEndian.AppendUint16(append(b, of, kind), to)
	sequence, echo, reading := uint64(0), uint64(0), uint64(trials.BootTime())
	if of == dataType {
		h.sequence++
		sequence, echo = h.sequence, reading
	}
	if h.r.IntN(8) == 0 {
		reading = h.r.Uint64()
	}
	for _, v := range []uint64{sequence, 0, echo, reading} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return append(b, payload...)
}

// noise is random bytes, fewer than a limit. The last byte begins a number that does not end, so
// the bytes encode nothing.
func (h *hostile) noise(most int) []byte {
	b := make([]byte, h.r.IntN(most))
	for i := range b {
		b[i] = byte(h.r.Uint32())
	}
	if len(b) > 0 {
		b[len(b)-1] = 0x80
	}
	return b
}

// core is a message of a core that cannot be read.
func (h *hostile) core() []byte {
	b := protocol.AppendUint(nil, h.r.Uint64N(6))
	b = protocol.AppendNodeID(b, h.anyNode())
	b = protocol.AppendUint(b, h.r.Uint64N(1<<32))
	return append(append(b, byte(h.r.IntN(32))), append(h.noise(64), 0x80)...)
}

// anyNode is an incarnation of a node that may or may not exist.
func (h *hostile) anyNode() protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(h.r.IntN(12)), Incarnation: uint16(h.r.Uint32())}
}

// card is one of another node or of this one, of a later life, which this node has signed.
func (h *hostile) card(of protocol.NodeID) []byte {
	endpoint := h.others[h.r.IntN(len(h.others))]
	text := appendText(protocol.AppendUint(protocol.AppendNodeID(nil, of), h.nonce), endpoint)
	signature, err := h.id.Sign(identity.CardPurpose, text)
	if err != nil {
		panic(err) // a key of this program
	}
	b := protocol.AppendUint(appendText(protocol.AppendNodeID(nil, of), endpoint), h.nonce)
	return appendText(appendText(b, string(h.id.Certificate.Certificate[0])), string(signature))
}

// cards are forged cards, or bytes that are no cards.
func (h *hostile) cards() []byte {
	n := h.r.IntN(64)
	b := protocol.AppendUint(nil, uint64(n))
	for range n {
		b = append(b, h.card(h.anyNode())...)
	}
	if h.r.IntN(3) == 0 {
		b = b[:h.r.IntN(len(b))]
	}
	return b
}

// refusal claims that a later incarnation of the daemon, or a copy, exists. That must not end it.
func (h *hostile) refusal() []byte {
	formerLife := byte(7)
	b := appendText([]byte{formerLife + byte(h.r.IntN(2))}, "a later life is known")
	return append(b, h.card(protocol.NodeID{Address: protocol.Address(h.r.IntN(12)), Incarnation: math.MaxUint16})...)
}

// methods are the calls of daemons that a hostile member makes.
var methods = strings.Fields("echo client order owns load queues holds takes permit outcome unfit gone rank deposit " +
	"do loss keep find elements printed list cancel ended lost output blob examine content forget erase catchup " +
	"life awaits events report departed drain regrid farewell halt none")

// bodies are those of calls. The valid ones name jobs that do not exist.
func bodies() []string {
	name := `{"by":"A","number":4294967295}`
	attempt := `"by":"A","epoch":4294967295,"job":` + name + `,"try":4294967295,"ticket":1`
	return []string{
		`"x"`, `[[]]`, `{"by":7}`, `[1,"x",null,{}]`, strings.Repeat("[", 20_000), `{"by":"A","number":-1}`,
		`{"number":1e400}`, `{"by":"` + strings.Repeat("A", 60_000) + `"}`, `["` + strings.Repeat(`x","`, 20_000) + `"]`,
		`{` + attempt + `,"rank":-5,"host":"B","files":[{"path":"../x","size":-1,"mode":-1,"sha256":"0"}]}`,
		`{` + attempt + `,"hosts":["A"],"statuses":[],"representative":"-"}`, `{` + attempt + `,"after":-9,"offset":-9}`,
		`{"by":"A","epoch":1,"stream":"../../authority.key","path":"/etc/passwd","rank":-1}`, name, `{"job":` + name + `}`,
		`{"digest":"../../authority.key","offset":-1}`, "[" + strings.TrimSuffix(strings.Repeat(name+",", 5000), ",") + "]",
		`{"version":1,"id":"../x","custody":` + name + `,"custodians":[1,1,1,1,1,1,1],"spec":{"tasks":-1}}`,
		"", "\x00", `{"a`, "\xff\xfe",
	}
}

// commands have an effect on the daemon itself: with a body that can be read they are no attack.
var commands = []string{"drain", "regrid", "farewell", "halt"}

// call is a call with a body that no daemon sends, or no call at all.
func (h *hostile) call() []byte {
	if h.r.IntN(8) == 0 {
		return h.noise(2000)
	}
	all := bodies()
	name, body := methods[h.r.IntN(len(methods))], all[h.r.IntN(len(all))]
	if slices.Contains(commands, name) {
		body = all[h.r.IntN(2)]
	}
	if h.r.IntN(8) == 0 { // an answer to no question
		return fmt.Appendf(nil, `{"id":%d,"body":%s,"elsewhere":%d}`, h.r.Uint64(), body, h.r.Uint32())
	}
	return fmt.Appendf(nil, `{"id":%d,"method":%q,"body":%s}`, h.r.Uint64(), name, body)
}

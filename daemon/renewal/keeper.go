package renewal

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	lookEvery = time.Second    // how often the certificate is compared with the clock
	spread    = 12 * time.Hour // within which nodes with equal certificates begin to renew
	asked     = 8              // daemons in one try

	pauseFirst = time.Minute // between tries
	pauseLast  = time.Hour
	pauseLeast = time.Second // when hardly any time is left

	// patience is how long a daemon whose certificate has ended waits at its start for the one with
	// the key of the authority: as long as daemons that are started together may take.
	patience = 20 * time.Second
)

// Config says whose certificate is kept valid.
type Config struct {
	Folder    string              // of the identity
	Identity  *identity.Identity  // as it was loaded from there
	Authority *identity.Authority // nil: another daemon has its key

	// Ask asks the daemon at an endpoint, as [transport.Renew] does.
	Ask func(ctx context.Context, endpoint string, id *identity.Identity) (*identity.Identity, error)

	Clock func() time.Duration // CLOCK_BOOTTIME
	Wall  func() time.Time
	Log   *slog.Logger
}

// Links are the connections to other daemons, such as a [transport.Transport].
type Links interface {
	Cards() []transport.Card
	Reload(id *identity.Identity)
}

// Keeper keeps the certificate of a node valid. Identity and Standing may be called at any time.
type Keeper struct {
	config Config
	tries  tries // of the goroutine that renews

	mu       sync.Mutex
	identity *identity.Identity
	failure  error // of the last try; nil: it has succeeded, or there was none
}

// tries records the tries since the last success.
type tries struct {
	failed int
	last   time.Duration // reading of the clock after the last one
	best   protocol.Address
	found  bool // best has renewed a certificate
	next   int  // of the cards, where the next try goes on
}

// Standing is how things stand with the certificate of a node.
type Standing struct {
	Ends    time.Time
	Left    time.Duration // until then, by the time of day; negative: it has ended
	Warning string        // a sentence if people should know; otherwise empty
}

// New returns the keeper of a certificate.
func New(c Config) *Keeper { return &Keeper{config: c, identity: c.Identity} }

// Identity is the identity with the latest certificate.
func (k *Keeper) Identity() *identity.Identity {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.identity
}

// Standing says how things stand now.
func (k *Keeper) Standing() Standing {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.config.Wall()
	s := Standing{Ends: k.identity.Ends(), Left: k.identity.Ends().Sub(now)}
	switch err := k.identity.ValidAt(now); {
	case err != nil:
		s.Warning = fmt.Sprintf("The certificate of this node cannot be used: %v.", err)
	case s.Left < identity.RenewBefore && k.failure != nil:
		s.Warning = fmt.Sprintf("The certificate of this node ends on %s, in %s, and could not be renewed: %s.",
			s.Ends.UTC().Format(time.DateOnly), left(s.Left), remedy)
	}
	return s
}

// remedy says how to get a certificate renewed.
const remedy = "start the daemon that has the key of the grid's authority (that of canvass node init), " +
	"or let this node reach it"

// left is a time in days, or in hours if there are few.
func left(d time.Duration) string {
	if d < 48*time.Hour {
		return fmt.Sprintf("%d hours", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// Prepare renews a certificate that is not valid now, and tries that for a while: the daemon that
// renews it may just be starting, or the clock be set. The daemon with the key of the authority
// renews its own one as soon as it is due.
func (k *Keeper) Prepare(ctx context.Context, cards []transport.Card) error {
	if k.config.Authority != nil && k.config.Wall().After(k.Identity().Due()) {
		k.tryAndTell(ctx, cards)
	}
	for end, told := k.config.Clock()+patience, false; ; told = true {
		err := k.Identity().ValidAt(k.config.Wall())
		if err == nil {
			return nil
		}
		if !told {
			k.config.Log.Warn("the daemon waits for a valid certificate", "error", err, "at most", patience.String())
		}
		if k.config.Wall().After(k.Identity().Ends()) {
			failed := k.try(ctx, cards)
			if failed == nil {
				continue
			}
			if isFinal(failed) { // it says what to do
				return fmt.Errorf("%w; the authority refuses: %w", err, failed)
			}
			err = fmt.Errorf("%w; %s; the last try: %w", err, remedy, failed)
		}
		if k.config.Clock() >= end || !sleep(ctx, pauseLeast) {
			return err
		}
	}
}

// isFinal reports that the authority has refused to renew the certificate.
func isFinal(err error) bool {
	refusal, ok := errors.AsType[*transport.Refusal](err)
	return ok && refusal.ByPeer && refusal.Reason == transport.ReasonRenewal
}

// Run renews the certificate whenever it is due, until the context ends.
func (k *Keeper) Run(ctx context.Context, links Links) {
	for sleep(ctx, lookEvery) {
		if k.due() && k.tryAndTell(ctx, links.Cards()) {
			links.Reload(k.Identity())
		}
	}
}

// sleep waits, and reports false once the context has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// due reports whether it is time for a try.
func (k *Keeper) due() bool {
	id, now := k.Identity(), k.config.Wall()
	if now.Before(id.Due().Add(offset(id))) {
		return false
	}
	return k.tries.failed == 0 || k.config.Clock() >= k.tries.last+k.tries.pause(id, now)
}

// offset is how long after its certificate is due a node begins to renew it.
func offset(id *identity.Identity) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id.Name)) // never fails
	return time.Duration(h.Sum64() % uint64(spread))
}

// pause is the time between two tries: longer after each that has failed, and shorter when little
// time is left. Half of it depends on the node, so that not all come back at once.
func (t *tries) pause(id *identity.Identity, now time.Time) time.Duration {
	longer := min(t.failed-1, 10)
	most := min(pauseLast, pauseFirst<<longer, id.Ends().Sub(now)/20)
	if now.After(id.Ends()) {
		most = min(pauseFirst, pauseLeast<<longer)
	}
	most = max(pauseLeast, most)
	return most/2 + offset(id)%(most/2)
}

// tryAndTell tries once, logs what people should know, and reports success.
func (k *Keeper) tryAndTell(ctx context.Context, cards []transport.Card) bool {
	err := k.try(ctx, cards)
	if err != nil && ctx.Err() == nil {
		s := k.Standing()
		k.config.Log.Warn("the certificate of this node could not be renewed", "ends", s.Ends.UTC(), "left",
			left(s.Left),
			"tries", k.tries.failed, "error", err, "next", remedy)
	}
	return err == nil
}

// try tries once to renew the certificate.
func (k *Keeper) try(ctx context.Context, cards []transport.Card) error {
	former := k.Identity()
	renewed, err := k.renew(ctx, former, cards)
	if err == nil {
		err = renewed.SaveCertificate(k.config.Folder)
	}
	k.tries.last = k.config.Clock()
	k.mu.Lock()
	k.failure = err
	if err == nil {
		k.identity = renewed
	}
	k.mu.Unlock()
	if err != nil {
		k.tries.failed++
		return err
	}
	k.tries.failed = 0
	k.config.Log.Info("the certificate is renewed", "ended", former.Ends().UTC(), "ends", renewed.Ends().UTC())
	return nil
}

// renew gets another certificate: from the authority here, or from a daemon that has its key.
func (k *Keeper) renew(
	ctx context.Context, id *identity.Identity, cards []transport.Card,
) (*identity.Identity, error) {
	if a := k.config.Authority; a != nil {
		now := k.config.Wall()
		certificate, err := a.Reissue(id.Certificate.Leaf, now)
		if err != nil {
			return nil, err
		}
		return id.Renewed(certificate, now)
	}
	var failures []error
	for _, card := range k.tries.candidates(id.Address, cards) {
		renewed, err := k.config.Ask(ctx, card.Endpoint, id)
		if err == nil {
			k.tries.best, k.tries.found = card.Address, true
			return renewed, nil
		}
		failures = append(failures, err)
	}
	return nil, k.failed(failures)
}

// candidates are the daemons to ask in a try: the daemon that renewed last, then the first one of
// the grid, then others, from where the last try has ended.
func (t *tries) candidates(self protocol.Address, cards []transport.Card) []transport.Card {
	others := slices.DeleteFunc(slices.Clone(cards), func(c transport.Card) bool { return c.Address == self })
	var chosen []transport.Card
	choose := func(is func(transport.Card) bool) {
		if i := slices.IndexFunc(others, is); i >= 0 {
			chosen = append(chosen, others[i])
			others = slices.Delete(others, i, i+1)
		}
	}
	choose(func(c transport.Card) bool { return t.found && c.Address == t.best })
	choose(func(c transport.Card) bool { return c.Address == identity.FirstOf(self) })
	for range min(len(others), asked-len(chosen)) {
		t.next++
		chosen = append(chosen, others[t.next%len(others)])
	}
	return chosen
}

// failed says why no daemon has renewed the certificate. It returns the answer of a daemon with the
// key of the authority, if one was reached, otherwise the first failure.
func (k *Keeper) failed(failures []error) error {
	if len(failures) == 0 {
		return errors.New("no other daemon is known")
	}
	isElsewhere := func(err error) bool { return errors.Is(err, identity.ErrElsewhere) }
	for _, wanted := range []func(error) bool{isFinal, func(err error) bool { return !isElsewhere(err) }} {
		if i := slices.IndexFunc(failures, wanted); i >= 0 {
			return failures[i]
		}
	}
	return fmt.Errorf("none of the %d daemons that were asked has the key of the authority", len(failures))
}

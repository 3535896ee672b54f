package identity_test

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
)

// A grid is made, a token is passed on, and a node joins. The bytes that both sides sign are those
// of their connection.
func Example() {
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	authority, err := identity.NewGrid(now)
	if err != nil {
		fmt.Println(err)
		return
	}
	var tokens identity.Tokens
	token := authority.NewToken(now.Add(time.Hour))
	if err := tokens.Add(token, 1); err != nil {
		fmt.Println(err)
	}

	// The node that joins.
	received, err := identity.ParseToken(token.Text())
	if err != nil {
		fmt.Println(err)
	}
	connection := []byte("keying material of the connection")
	key, _ := identity.NewKey()
	request, _ := identity.Request(key)
	proof := received.Prove(connection)

	// The node with the authority.
	if err := tokens.Redeem(proof, connection, now); err != nil {
		fmt.Println(err)
	}
	address, _ := authority.Next()
	certificate, err := authority.Issue(request, address, now)
	if err != nil {
		fmt.Println(err)
	}

	id, err := identity.New(key, certificate, authority.Certificate())
	fmt.Println(id.Address, id.Grid == authority.Grid(), err)
	fmt.Println(tokens.Redeem(proof, connection, now) != nil, token)
	// Output:
	// 0 true <nil>
	// true ***
}

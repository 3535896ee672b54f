// Package reptask is one node of the scheduling of parallel jobs in P2PGrid: representative and dependent tasks.
//
// Source: Jackson (2015), section 4.2.
//
// # Guarantees
//
// Package model/reptask says what is checked.
//
// # Assumptions, and what is not modelled
//
// See package model/reptask.
package reptask

// Package refine is one node of the cluster refinement of Jackson (2015), section 5.1: head and client.
package refine

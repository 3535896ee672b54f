(** Appendix A of Jackson (2015): which bounds survive symmetry, the adoption of clusters.

    A clustering gives each vertex a set of vertices, its cluster. Theorem A.3 says that adoptions
    preserve bounded membership and bounded awareness. The first is refuted here, the second proved
    for any number of vertices and adoptions. *)

Require Import List Bool.
Import ListNotations.

Section Adoption.

Variable V : Type.
Variable same : forall x y : V, {x = y} + {x <> y}.

(** [C z v]: vertex v is in the cluster of z. *)
Definition clustering := V -> V -> Prop.

(** sym(C, x, y): x adopts the cluster of y. *)
Definition sym (C : clustering) (x y : V) : clustering :=
  fun z => if same z x then C y else C z.

(** Adoptions one after the other. *)
Definition syms (C : clustering) (pairs : list (V * V)) : clustering :=
  fold_left (fun C p => sym C (fst p) (snd p)) pairs C.

(** b is in A(C, a). *)
Definition aware (C : clustering) (a b : V) : Prop := exists z, C z a /\ C z b.

(** Lemma A.1, for any sequence: every cluster is one of those before, so none grows. *)
Theorem clusters_stay : forall pairs C z, exists w, syms C pairs z = C w.
Proof.
  induction pairs as [| [x y] pairs IH]; intros C z; simpl.
  - exists z. reflexivity.
  - destruct (IH (sym C x y) z) as [w E]. unfold syms in E; simpl in E.
    unfold syms; simpl. rewrite E. unfold sym; simpl. destruct (same w x).
    + exists y. reflexivity.
    + exists w. reflexivity.
Qed.

(** Lemma A.2, for any sequence: no vertex becomes aware of another one. *)
Theorem awareness_shrinks : forall pairs C a b, aware (syms C pairs) a b -> aware C a b.
Proof.
  intros pairs C a b [z [A B]]. destruct (clusters_stay pairs C z) as [w E].
  rewrite E in A, B. exists w. auto.
Qed.

(** What bounds membership instead: a vertex that keeps to clusters which it is in is in the
    awareness of every vertex of its cluster. So a vertex is in no more clusters than it was aware
    of vertices. *)
Theorem membership_within_awareness : forall pairs C a z,
    syms C pairs z z -> syms C pairs z a -> aware C a z.
Proof. intros pairs C a z Z A. apply (awareness_shrinks pairs). exists z. auto. Qed.

End Adoption.

(** The counterexample to Theorem A.3: three vertices, both bounds 2. *)
Inductive vertex := x | y | z.

Definition vertex_same (a b : vertex) : {a = b} + {a <> b}.
Proof. decide equality. Defined.

Definition before (a b : vertex) : bool :=
  match a, b with
  | x, x | y, x | y, y | z, y | z, z => true
  | _, _ => false
  end.

Definition after (a b : vertex) : bool := if vertex_same a x then before y b else before a b.

Definition count (p : vertex -> bool) : nat := length (filter p [x; y; z]).

(** In how many clusters a vertex is, and how large the cluster of a vertex is. *)
Definition memberships (C : vertex -> vertex -> bool) (v : vertex) : nat := count (fun w => C w v).
Definition size (C : vertex -> vertex -> bool) (v : vertex) : nat := count (C v).

Theorem bounds_before : forall v, memberships before v <= 2 /\ size before v <= 2.
Proof. intros []; split; vm_compute; repeat constructor. Qed.

Theorem adoption_is_allowed : before y x = true /\ size before x < size before y.
Proof. split; vm_compute; repeat constructor. Qed.

Theorem membership_bound_broken : memberships after y = 3.
Proof. reflexivity. Qed.

Theorem not_injective : forall v, after x v = after y v.
Proof. intros []; reflexivity. Qed.

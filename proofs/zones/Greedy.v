(* Zone.Distance and greedy routing: Progress. *)

From Coq Require Import ZArith Lia Bool PeanoNat.
From Canvass Require Import Box.
Open Scope Z_scope.

(* The term of one dimension in Zone.Distance, before it is squared. *)
Definition gap (b : box) (p : point) (k : nat) : Z :=
  if p k <? low b k then low b k - p k
  else if high b k <=? p k then p k - high b k + 1
  else 0.

(* Zone.Distance over the first n dimensions. *)
Fixpoint distance (n : nat) (b : box) (p : point) : Z :=
  match n with
  | O => 0
  | S m => distance m b p + gap b p m * gap b p m
  end.

(* The point of the box that is nearest to p. *)
Definition nearest (b : box) (p : point) : point :=
  fun k => Z.max (low b k) (Z.min (p k) (high b k - 1)).

(* The face of b in dimension k on p's side, for a point that is outside of b in that dimension. *)
Definition toward (b : box) (p : point) (k : nat) : face := Face k (low b k <=? p k).

(* The point next to the nearest one, one step nearer to p in dimension k: directly beyond that face. *)
Definition next_point (b : box) (p : point) (k : nat) : point :=
  upd (nearest b p) k (step_over b (toward b p k)).

Section Greedy.
Variable d : nat.

Ltac gaps := unfold gap in *;
  repeat match goal with
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  | H : context [?a <? ?b] |- _ => destruct (Z.ltb_spec a b)
  | H : context [?a <=? ?b] |- _ => destruct (Z.leb_spec a b)
  end.

Lemma gap_nonneg : forall b p k, 0 <= gap b p k.
Proof. intros; gaps; lia. Qed.

Lemma nearest_inside : forall b p, nonempty d b -> inside d b (nearest b p).
Proof. intros b p H k Hk; specialize (H k Hk); unfold nearest; lia. Qed.

(* The gap is what lies between the point and the nearest one, and no point of the box is nearer. *)
Lemma gap_nearest : forall b p k, low b k < high b k -> gap b p k = Z.abs (p k - nearest b p k).
Proof. intros b p k H; unfold nearest; gaps; lia. Qed.

Lemma gap_least : forall b p q k, low b k <= q k < high b k -> gap b p k <= Z.abs (p k - q k).
Proof. intros b p q k H; gaps; lia. Qed.

Lemma gap_zero : forall b p k, low b k < high b k -> (gap b p k = 0 <-> low b k <= p k < high b k).
Proof. intros b p k H; gaps; lia. Qed.

Lemma distance_nonneg : forall n b p, 0 <= distance n b p.
Proof. induction n; intros; simpl; [lia|]; specialize (IHn b p); nia. Qed.

(* The distance is 0 exactly inside. *)
Theorem distance_zero : forall b p, nonempty d b -> (distance d b p = 0 <-> inside d b p).
Proof.
  intros b p; unfold nonempty, inside; induction d as [|n IH]; intros H.
  - split; [intros _ k Hk; lia | reflexivity].
  - assert (H' : forall k, (k < n)%nat -> low b k < high b k) by (intros k Hk; apply H; lia).
    specialize (IH H'); simpl; pose proof (distance_nonneg n b p) as N.
    pose proof (gap_zero b p n (H n ltac:(lia))) as G; pose proof (gap_nonneg b p n) as P; split.
    + intros E k Hk; assert (distance n b p = 0) by nia; assert (gap b p n = 0) by nia.
      destruct (Nat.eq_dec k n) as [->|Hne]; [now apply G | apply IH; [assumption | lia]].
    + intros I; assert (gap b p n = 0) by (apply G, I; lia).
      assert (distance n b p = 0) by (apply IH; intros k Hk; apply I; lia). nia.
Qed.

Lemma distance_le : forall n a b p, (forall k, (k < n)%nat -> gap a p k <= gap b p k) ->
  distance n a p <= distance n b p.
Proof.
  induction n as [|n IH]; intros a b p H; simpl; [lia|].
  assert (distance n a p <= distance n b p) by (apply IH; intros k Hk; apply H; lia).
  specialize (H n ltac:(lia)); pose proof (gap_nonneg a p n); nia.
Qed.

Lemma distance_lt : forall n a b p k, (k < n)%nat -> (forall j, (j < n)%nat -> gap a p j <= gap b p j) ->
  gap a p k < gap b p k -> distance n a p < distance n b p.
Proof.
  induction n as [|n IH]; intros a b p k Hk H L; [lia|]; simpl.
  pose proof (gap_nonneg a p n); pose proof (gap_nonneg a p k); pose proof (H n ltac:(lia)).
  destruct (Nat.eq_dec k n) as [->|Hne].
  - assert (distance n a p <= distance n b p) by (apply distance_le; intros j Hj; apply H; lia). nia.
  - assert (distance n a p < distance n b p) by (apply IH with k; [lia | intros j Hj; apply H; lia | exact L]). nia.
Qed.

(* The next point lies beyond the face toward p … *)
Lemma next_beyond : forall b p k, (k < d)%nat -> nonempty d b ->
  inside d (beyond b (toward b p k)) (next_point b p k).
Proof.
  intros b p k Hk H; apply beyond_inside; [exact Hk|]; split; [apply upd_same|].
  intros j Hj Hne; unfold next_point; simpl in Hne; rewrite upd_other by exact Hne; exact (nearest_inside b p H j Hj).
Qed.

(* … and within any box that contains both b and p, such as the whole space: between two nodes of one
   space, routing never needs a node from outside of it. *)
Lemma next_within : forall whole b p k, (k < d)%nat -> nonempty d b ->
  (forall j, (j < d)%nat -> low whole j <= low b j /\ high b j <= high whole j) ->
  inside d whole p -> ~ low b k <= p k < high b k -> inside d whole (next_point b p k).
Proof.
  intros whole b p k Hk H W P Out j Hj; unfold next_point, step_over, toward, nearest, upd; simpl.
  specialize (H j Hj); specialize (W j Hj); specialize (P j Hj).
  destruct (Nat.eqb_spec j k) as [->|_]; [|lia]; destruct (Z.leb_spec (low b k) (p k)); lia.
Qed.

(* A box that contains the next point is strictly nearer to p. *)
Theorem next_nearer : forall b n p k, (k < d)%nat -> nonempty d b ->
  ~ low b k <= p k < high b k -> inside d n (next_point b p k) -> distance d n p < distance d b p.
Proof.
  intros b n p k Hk H Out In.
  assert (Le : forall j, (j < d)%nat -> j <> k -> gap n p j <= gap b p j).
  { intros j Hj Hne; rewrite (gap_nearest b) by exact (H j Hj); specialize (In j Hj).
    unfold next_point in In; rewrite upd_other in In by exact Hne; now apply gap_least. }
  assert (Lt : gap n p k < gap b p k).
  { specialize (In k Hk); apply (gap_least n p) in In; specialize (H k Hk).
    unfold next_point, step_over, toward in In; simpl in In; rewrite upd_same in In.
    gaps; lia. }
  apply distance_lt with k; [exact Hk | | exact Lt].
  intros j Hj; destruct (Nat.eq_dec j k) as [->|Hne]; [lia | exact (Le j Hj Hne)].
Qed.

(* Someone outside of a box is outside in some dimension, and it can be found. *)
Lemma outside_dim : forall b p, ~ inside d b p -> exists k, (k < d)%nat /\ ~ low b k <= p k < high b k.
Proof.
  intros b p; unfold inside; induction d as [|n IH]; intros Out.
  - exfalso; apply Out; intros k Hk; lia.
  - destruct (Z_le_dec (low b n) (p n)) as [L|L]; [destruct (Z_lt_dec (p n) (high b n)) as [R|R]|].
    + destruct IH as [k [Hk HO]].
      * intros I; apply Out; intros k Hk; destruct (Nat.eq_dec k n) as [->|Hne]; [lia | apply I; lia].
      * exists k; split; [lia | exact HO].
    + exists n; split; lia.
    + exists n; split; lia.
Qed.

(* Progress: if neighbours cover the border of a zone within the space (what Space.BorderCovered decides),
   then for each point of the space outside of the zone some neighbour is strictly nearer to it. *)
Theorem progress : forall (I : Type) (neighbour : I -> box) whole b p, nonempty d b ->
  (forall j, (j < d)%nat -> low whole j <= low b j /\ high b j <= high whole j) ->
  (forall f q, (fdim f < d)%nat -> inside d (beyond b f) q -> inside d whole q -> exists i, inside d (neighbour i) q) ->
  inside d whole p -> ~ inside d b p ->
  exists i, distance d (neighbour i) p < distance d b p.
Proof.
  intros I neighbour whole b p H W Cover P Out.
  destruct (outside_dim b p Out) as [k [Hk HO]].
  destruct (Cover (toward b p k) (next_point b p k) Hk (next_beyond b p k Hk H)
                  (next_within whole b p k Hk H W P HO)) as [i Hi].
  exists i; exact (next_nearer b (neighbour i) p k Hk H HO Hi).
Qed.

(* Hence greedy routing ends at the owner. Zones are a family of boxes in which each has such neighbours;
   a path goes from each to any strictly nearer one, as Progress allows, and never gets stuck outside. *)
Fixpoint hops {I : Type} (next : I -> I) (n : nat) (i : I) : I :=
  match n with
  | O => i
  | S m => hops next m (next i)
  end.

Theorem routable : forall (I : Type) (zone : I -> box) (next : I -> I) p,
  (forall i, nonempty d (zone i)) ->
  (forall i, ~ inside d (zone i) p -> distance d (zone (next i)) p < distance d (zone i) p) ->
  forall i, exists n, inside d (zone (hops next n i)) p.
Proof.
  intros I zone next p H Nearer i.
  remember (Z.to_nat (distance d (zone i) p)) as m eqn:E.
  revert i E; induction m as [m IH] using lt_wf_ind; intros i E.
  destruct (Z.eq_dec (distance d (zone i) p) 0) as [Z0|NZ].
  - exists 0%nat; apply distance_zero; [apply H | exact Z0].
  - assert (Out : ~ inside d (zone i) p) by (intros In; apply NZ, distance_zero; [apply H | exact In]).
    specialize (Nearer i Out); pose proof (distance_nonneg d (zone (next i)) p).
    destruct (IH (Z.to_nat (distance d (zone (next i)) p))) with (i := next i) as [n Hn]; [lia | reflexivity |].
    exists (S n); exact Hn.
Qed.

End Greedy.

(* Points, boxes and half-spaces, as package protocol/space has them.

   The number of dimensions d is any natural number. Points are functions from dimensions to integers, of
   which only the values below d matter; two boxes are never compared but by the points they contain, so
   no axiom about equal functions is needed. The bounds of machine integers are the subject of Machine.v. *)

From Coq Require Import ZArith Lia Bool PeanoNat.
Open Scope Z_scope.

Definition point := nat -> Z.

(* Zone: the points p with low k <= p k < high k in every dimension k. *)
Record box := Box { low : point; high : point }.

(* HalfSpace. *)
Record half := Half { dim : nat; at_least : bool; at_ : Z }.

(* Face: one side of a box. *)
Record face := Face { fdim : nat; fhigh : bool }.

(* f with the value v at k. *)
Definition upd (f : point) (k : nat) (v : Z) : point :=
  fun j => if Nat.eqb j k then v else f j.

Lemma upd_same : forall f k v, upd f k v k = v.
Proof. intros; unfold upd; now rewrite Nat.eqb_refl. Qed.

Lemma upd_other : forall f k v j, j <> k -> upd f k v j = f j.
Proof. intros f k v j H; unfold upd; now rewrite (proj2 (Nat.eqb_neq j k) H). Qed.

Section Dimensions.
Variable d : nat.

(* Zone.Contains. *)
Definition inside (b : box) (p : point) : Prop :=
  forall k, (k < d)%nat -> low b k <= p k < high b k.

(* The negation of Zone.Empty. *)
Definition nonempty (b : box) : Prop := forall k, (k < d)%nat -> low b k < high b k.

(* Zone.Intersect. *)
Definition meet (a b : box) : box :=
  Box (fun k => Z.max (low a k) (low b k)) (fun k => Z.min (high a k) (high b k)).

(* Zone.Overlaps, as the code decides it. *)
Definition overlaps (a b : box) : Prop := nonempty (meet a b).

(* What it means. *)
Definition disjoint (a b : box) : Prop := forall p, ~ (inside a p /\ inside b p).

(* Join. *)
Definition join (a b : box) : box :=
  Box (fun k => Z.min (low a k) (low b k)) (fun k => Z.max (high a k) (high b k)).

Definition holds (h : half) (p : point) : Prop :=
  if at_least h then at_ h <= p (dim h) else p (dim h) < at_ h.

(* HalfSpace.Opposite and HalfSpace.Cut. *)
Definition opposite (h : half) : half := Half (dim h) (negb (at_least h)) (at_ h).

Definition cut (h : half) (b : box) : box :=
  if at_least h
  then Box (upd (low b) (dim h) (Z.max (low b (dim h)) (at_ h))) (high b)
  else Box (low b) (upd (high b) (dim h) (Z.min (high b (dim h)) (at_ h))).

(* Zone.Beyond: the layer of points, one thick, directly outside the face. *)
Definition beyond (b : box) (f : face) : box :=
  let k := fdim f in
  if fhigh f
  then Box (upd (low b) k (high b k)) (upd (high b) k (high b k + 1))
  else Box (upd (low b) k (low b k - 1)) (upd (high b) k (low b k)).

(* The condition under which Zone.Abuts returns the face f of a. *)
Definition abuts (a : box) (f : face) (b : box) : Prop :=
  (fdim f < d)%nat /\
  (if fhigh f then high a (fdim f) = low b (fdim f) else low a (fdim f) = high b (fdim f)) /\
  overlaps (beyond a f) b.

Lemma inside_nonempty : forall b p, inside b p -> nonempty b.
Proof. intros b p H k Hk; specialize (H k Hk); lia. Qed.

(* The low corner is inside a box that is not empty. *)
Lemma nonempty_inside : forall b, nonempty b -> inside b (low b).
Proof. intros b H k Hk; specialize (H k Hk); lia. Qed.

Theorem meet_inside : forall a b p, inside (meet a b) p <-> inside a p /\ inside b p.
Proof.
  intros a b p; split.
  - intros H; split; intros k Hk; specialize (H k Hk); simpl in H; lia.
  - intros [Ha Hb] k Hk; specialize (Ha k Hk); specialize (Hb k Hk); simpl; lia.
Qed.

(* Two boxes share a point exactly if the code says so. *)
Theorem overlaps_common : forall a b, overlaps a b <-> exists p, inside a p /\ inside b p.
Proof.
  intros a b; split.
  - intros H; exists (low (meet a b)); apply meet_inside, nonempty_inside, H.
  - intros [p H]; apply inside_nonempty with p, meet_inside, H.
Qed.

Theorem disjoint_overlaps : forall a b, disjoint a b <-> ~ overlaps a b.
Proof.
  intros a b; split.
  - intros H O; apply overlaps_common in O; destruct O as [p Hp]; exact (H p Hp).
  - intros H p Hp; apply H, overlaps_common; now exists p.
Qed.

Lemma upd_inside : forall b p k v, inside b p -> low b k <= v < high b k -> inside b (upd p k v).
Proof.
  intros b p k v H Hv j Hj; unfold upd; destruct (Nat.eqb_spec j k) as [->|_]; [exact Hv | exact (H j Hj)].
Qed.

(* The coordinate of the layer beyond a face. *)
Definition step_over (b : box) (f : face) : Z :=
  if fhigh f then high b (fdim f) else low b (fdim f) - 1.

Lemma beyond_inside : forall b f p, (fdim f < d)%nat ->
  (inside (beyond b f) p <->
   p (fdim f) = step_over b f /\ forall k, (k < d)%nat -> k <> fdim f -> low b k <= p k < high b k).
Proof.
  intros b [k s] p Hk; unfold beyond, step_over; simpl in *; split.
  - intros H; split.
    + specialize (H k Hk); destruct s; simpl in H; rewrite !upd_same in H; lia.
    + intros j Hj Hne; specialize (H j Hj); destruct s; simpl in H; rewrite !upd_other in H by exact Hne; exact H.
  - intros [E H] j Hj; destruct (Nat.eq_dec j k) as [->|Hne].
    + destruct s; simpl; rewrite !upd_same; lia.
    + destruct s; simpl; rewrite !upd_other by exact Hne; exact (H j Hj Hne).
Qed.

(* Two boxes that are not empty abut along one face only. So it does not matter in which order Zone.Abuts
   tries the faces, and "the face across which a node lies" is well defined. *)
Theorem abuts_unique : forall a b f g,
  nonempty a -> nonempty b -> abuts a f b -> abuts a g b -> f = g.
Proof.
  intros a b [k s] [j t] Ha Hb (Hk & Tf & Of) (Hj & Tg & Og); simpl in *.
  apply overlaps_common in Of; destruct Of as [p [Pf Pb]].
  apply overlaps_common in Og; destruct Og as [q [Qg Qb]].
  apply beyond_inside in Pf; [|exact Hk]; apply beyond_inside in Qg; [|exact Hj].
  destruct Pf as [Pk P], Qg as [Qj Q]; unfold step_over in Pk, Qj; simpl in *.
  destruct (Nat.eq_dec k j) as [->|Hne].
  - specialize (Ha j Hj); specialize (Hb j Hj).
    destruct s, t; try reflexivity; lia.
  - specialize (P j Hj (not_eq_sym Hne)); specialize (Pb j Hj); destruct t; lia.
Qed.

End Dimensions.

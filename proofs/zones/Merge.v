(* Share and Join: what those across the takeover face of a departing zone get. *)

From Coq Require Import ZArith Lia Bool PeanoNat.
From Canvass Require Import Box.
Open Scope Z_scope.

Section Merge.
Variable d : nat.

(* Share: in the dimension of the face as wide as the departing zone, in all others as the taker. *)
Definition share (departing taker : box) (f : face) : box :=
  Box (upd (low taker) (fdim f) (low departing (fdim f)))
      (upd (high taker) (fdim f) (high departing (fdim f))).

(* The conditions under which Share does not fail: the taker is across the face, with its cross-section
   inside the departing zone's. *)
Definition takes (departing taker : box) (f : face) : Prop :=
  abuts d departing f taker /\
  forall k, (k < d)%nat -> k <> fdim f -> low departing k <= low taker k /\ high taker k <= high departing k.

Lemma share_inside : forall departing taker f p, (fdim f < d)%nat ->
  (inside d (share departing taker f) p <->
   low departing (fdim f) <= p (fdim f) < high departing (fdim f) /\
   forall k, (k < d)%nat -> k <> fdim f -> low taker k <= p k < high taker k).
Proof.
  intros D T [k s] p Hk; unfold share; simpl in *; split.
  - intros H; split.
    + specialize (H k Hk); simpl in H; rewrite !upd_same in H; exact H.
    + intros j Hj Hne; specialize (H j Hj); simpl in H; rewrite !upd_other in H by exact Hne; exact H.
  - intros [E H] j Hj; simpl; destruct (Nat.eq_dec j k) as [->|Hne].
    + rewrite !upd_same; exact E.
    + rewrite !upd_other by exact Hne; exact (H j Hj Hne).
Qed.

(* A share is a part of the departing zone. *)
Theorem share_within : forall D T f p, takes D T f -> inside d (share D T f) p -> inside d D p.
Proof.
  intros D T f p [(Hk & _ & _) Hx] H k Hk'; apply share_inside in H; [|exact Hk]; destruct H as [E H].
  destruct (Nat.eq_dec k (fdim f)) as [->|Hne]; [exact E|].
  specialize (Hx k Hk' Hne); specialize (H k Hk' Hne); lia.
Qed.

(* The taker's new zone is the union of its zone and its share, and not a point more. *)
Theorem join_exact : forall D T f p, nonempty d D -> nonempty d T -> takes D T f ->
  (inside d (join T (share D T f)) p <-> inside d T p \/ inside d (share D T f) p).
Proof.
  intros D T [k s] p HD HT [(Hk & Touch & _) Hx]; simpl in *.
  rewrite share_inside by exact Hk; simpl; split.
  - intros H.
    assert (Cross : forall j, (j < d)%nat -> j <> k -> low T j <= p j < high T j).
    { intros j Hj Hne; specialize (H j Hj); simpl in H; rewrite !upd_other in H by exact Hne; lia. }
    specialize (H k Hk); simpl in H; rewrite !upd_same in H.
    specialize (HD k Hk); specialize (HT k Hk).
    assert (C : low T k <= p k < high T k \/ low D k <= p k < high D k) by (destruct s; lia).
    destruct C as [C|C]; [left | right; split; [exact C | exact Cross]].
    intros j Hj; destruct (Nat.eq_dec j k) as [->|Hne]; [exact C | exact (Cross j Hj Hne)].
  - intros [H|[E H]] j Hj; simpl.
    + specialize (H j Hj); unfold upd; destruct (Nat.eqb_spec j k); subst; lia.
    + destruct (Nat.eq_dec j k) as [->|Hne].
      * rewrite !upd_same; lia.
      * rewrite !upd_other by exact Hne; specialize (H j Hj Hne); lia.
Qed.

(* OwnerInside, second half: a zone that takes a share only grows. *)
Theorem join_grows : forall T S p, inside d T p -> inside d (join T S) p.
Proof. intros T S p H k Hk; specialize (H k Hk); simpl; lia. Qed.

(* A taker does not overlap what it takes. *)
Theorem share_apart : forall D T f, takes D T f -> disjoint d T (share D T f).
Proof.
  intros D T [k s] [(Hk & Touch & _) _] p [HT HS]; simpl in *.
  apply share_inside in HS; [|exact Hk]; destruct HS as [E _]; simpl in E.
  specialize (HT k Hk); destruct s; lia.
Qed.

(* A point of a zone, moved into the layer beyond a face, is in the layer. *)
Lemma moved_beyond : forall D f p, (fdim f < d)%nat -> inside d D p ->
  inside d (beyond D f) (upd p (fdim f) (step_over D f)).
Proof.
  intros D f p Hk H; apply beyond_inside; [exact Hk|]; split; [apply upd_same|].
  intros k Hk' Hne; rewrite upd_other by exact Hne; exact (H k Hk').
Qed.

(* A taker across the face contains the moved point exactly if the share contains the point. *)
Lemma taker_moved : forall D T f p, nonempty d T -> takes D T f -> inside d D p ->
  (inside d (share D T f) p <-> inside d T (upd p (fdim f) (step_over D f))).
Proof.
  intros D T [k s] p HT [(Hk & Touch & _) Hx] Hp; unfold step_over; simpl in *.
  rewrite share_inside by exact Hk; simpl; split.
  - intros [_ H] j Hj; destruct (Nat.eq_dec j k) as [->|Hne].
    + rewrite upd_same; specialize (HT k Hk); destruct s; lia.
    + rewrite upd_other by exact Hne; exact (H j Hj Hne).
  - intros H; split; [exact (Hp k Hk)|].
    intros j Hj Hne; specialize (H j Hj); rewrite upd_other in H by exact Hne; exact H.
Qed.

(* Partition, second half: if the takers across the face do not overlap, neither do their shares … *)
Theorem shares_disjoint : forall D T U f, nonempty d T -> nonempty d U -> takes D T f -> takes D U f ->
  disjoint d T U -> disjoint d (share D T f) (share D U f).
Proof.
  intros D T U f HT HU TT TU Apart p [PT PU].
  pose proof (share_within D T f p TT PT) as Hp.
  apply (Apart (upd p (fdim f) (step_over D f))); split.
  - now apply taker_moved.
  - now apply taker_moved.
Qed.

(* … and if they cover the layer beyond the face, their shares cover the zone. Takers are a family here,
   indexed by anything. *)
Theorem shares_cover : forall (I : Type) (taker : I -> box) D f, (fdim f < d)%nat ->
  (forall i, nonempty d (taker i)) -> (forall i, takes D (taker i) f) ->
  (forall q, inside d (beyond D f) q -> exists i, inside d (taker i) q) ->
  forall p, inside d D p -> exists i, inside d (share D (taker i) f) p.
Proof.
  intros I taker D f Hk HT TT Cover p Hp.
  destruct (Cover _ (moved_beyond D f p Hk Hp)) as [i Hi].
  exists i; now apply taker_moved.
Qed.

(* The new zones of two takers do not overlap, in whatever order they take their shares … *)
Theorem takers_stay_apart : forall D T U f, nonempty d D -> nonempty d T -> nonempty d U ->
  takes D T f -> takes D U f -> disjoint d T U -> disjoint d D T -> disjoint d D U ->
  disjoint d (join T (share D T f)) (join U (share D U f)).
Proof.
  intros D T U f HD HT HU TT TU TU' DT DU p [PT PU].
  apply join_exact in PT; try assumption; apply join_exact in PU; try assumption.
  destruct PT as [PT|PT], PU as [PU|PU].
  - exact (TU' p (conj PT PU)).
  - exact (DT p (conj (share_within _ _ _ _ TU PU) PT)).
  - exact (DU p (conj (share_within _ _ _ _ TT PT) PU)).
  - exact (shares_disjoint D T U f HT HU TT TU TU' p (conj PT PU)).
Qed.

(* … nor does a taker's new zone overlap that of anybody else. *)
Theorem others_stay_apart : forall D T f other, nonempty d D -> nonempty d T -> takes D T f ->
  disjoint d T other -> disjoint d D other -> disjoint d (join T (share D T f)) other.
Proof.
  intros D T f other HD HT TT TO DO p [PT PO].
  apply join_exact in PT; try assumption; destruct PT as [PT|PT].
  - exact (TO p (conj PT PO)).
  - exact (DO p (conj (share_within _ _ _ _ TT PT) PO)).
Qed.

End Merge.

(* HalfSpace.Cut and Space.Split: Partition and OwnerInside. *)

From Coq Require Import ZArith Lia Bool PeanoNat.
From Canvass Require Import Box.
Open Scope Z_scope.

Section Split.
Variable d : nat.

(* A cut leaves exactly the points of the box on the half-space's side. *)
Theorem cut_inside : forall h b p, (dim h < d)%nat ->
  (inside d (cut h b) p <-> inside d b p /\ holds h p).
Proof.
  intros [k s c] b p Hk; unfold cut, holds; simpl in *; split.
  - intros H; split.
    + intros j Hj; specialize (H j Hj); destruct s; simpl in H; unfold upd in H;
        destruct (Nat.eqb_spec j k); subst; lia.
    + specialize (H k Hk); destruct s; simpl in H; rewrite upd_same in H; lia.
  - intros [H Hh] j Hj; specialize (H j Hj); destruct s; simpl; unfold upd;
      destruct (Nat.eqb_spec j k); subst; lia.
Qed.

(* Partition, first half: the union of the two halves is the box … *)
Theorem cut_union : forall h b p, (dim h < d)%nat ->
  (inside d b p <-> inside d (cut h b) p \/ inside d (cut (opposite h) b) p).
Proof.
  intros h b p Hk; rewrite !cut_inside by (try exact Hk; destruct h; exact Hk).
  unfold holds, opposite; destruct h as [k [|] c]; simpl;
    destruct (Z_lt_le_dec (p k) c); split; intuition lia.
Qed.

(* … and they share no point … *)
Theorem cut_disjoint : forall h b, (dim h < d)%nat -> disjoint d (cut h b) (cut (opposite h) b).
Proof.
  intros h b Hk p; rewrite !cut_inside by (try exact Hk; destruct h; exact Hk).
  unfold holds, opposite; destruct h as [k [|] c]; simpl; intuition lia.
Qed.

(* … and neither is empty if the plane stands strictly inside. *)
Theorem cut_nonempty : forall h b, (dim h < d)%nat ->
  nonempty d b -> low b (dim h) < at_ h < high b (dim h) ->
  nonempty d (cut h b) /\ nonempty d (cut (opposite h) b).
Proof.
  intros [k s c] b Hk Hb Hc; unfold cut, opposite; simpl in *; split;
    intros j Hj; specialize (Hb j Hj); destruct s; simpl; unfold upd;
    destruct (Nat.eqb_spec j k); subst; lia.
Qed.

(* What the owner keeps when its coordinate is a and the joiner's is b in dimension k: function between.
   Go's division of integers is Z.quot. *)
Definition plane (a b : Z) : Z := Z.min a b + Z.quot (Z.max a b - Z.min a b + 1) 2.

Definition between (k : nat) (owner joiner : point) : half :=
  Half k (owner k =? Z.max (owner k) (joiner k)) (plane (owner k) (joiner k)).

Lemma plane_between : forall a b, a <> b -> Z.min a b < plane a b <= Z.max a b.
Proof.
  intros a b H; unfold plane; rewrite Z.quot_div_nonneg by lia.
  pose proof (Z.div_mod (Z.max a b - Z.min a b + 1) 2 ltac:(lia)).
  pose proof (Z.mod_pos_bound (Z.max a b - Z.min a b + 1) 2 ltac:(lia)). lia.
Qed.

(* The plane is at the middle: the distances from it to the two coordinates differ by one at most. *)
Theorem plane_even : forall a b, 0 <= (plane a b - Z.min a b) - (Z.max a b - plane a b) <= 1.
Proof.
  intros a b; unfold plane; rewrite Z.quot_div_nonneg by lia.
  pose proof (Z.div_mod (Z.max a b - Z.min a b + 1) 2 ltac:(lia)).
  pose proof (Z.mod_pos_bound (Z.max a b - Z.min a b + 1) 2 ltac:(lia)). lia.
Qed.

(* OwnerInside, first half: each of the two has its coordinate in its own half. *)
Theorem owner_inside : forall k b owner joiner, (k < d)%nat ->
  inside d b owner -> inside d b joiner -> owner k <> joiner k ->
  inside d (cut (between k owner joiner) b) owner /\
  inside d (cut (opposite (between k owner joiner)) b) joiner.
Proof.
  intros k b owner joiner Hk Ho Hj Hne.
  pose proof (plane_between (owner k) (joiner k) Hne) as Hp.
  rewrite !cut_inside by exact Hk; unfold holds, opposite, between; simpl.
  destruct (Z.eqb_spec (owner k) (Z.max (owner k) (joiner k))); simpl; intuition lia.
Qed.

(* Hence both halves are boxes that are not empty: the plane stands strictly inside. *)
Theorem split_nonempty : forall k b owner joiner, (k < d)%nat ->
  inside d b owner -> inside d b joiner -> owner k <> joiner k ->
  nonempty d (cut (between k owner joiner) b) /\
  nonempty d (cut (opposite (between k owner joiner)) b).
Proof.
  intros k b owner joiner Hk Ho Hj Hne.
  destruct (owner_inside k b owner joiner Hk Ho Hj Hne) as [Io Ij].
  split; eapply inside_nonempty; eassumption.
Qed.

End Split.

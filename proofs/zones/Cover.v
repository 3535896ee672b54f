(* Covered and BorderCovered: the functions themselves, and what their answer means. *)

From Coq Require Import ZArith Lia Bool PeanoNat List.
From Canvass Require Import Box Greedy.
Import ListNotations.
Open Scope Z_scope.

(* Zone.Empty over the first n dimensions. *)
Fixpoint empty (n : nat) (b : box) : bool :=
  match n with
  | O => false
  | S m => empty m b || (high b m <=? low b m)
  end.

Definition below (k : nat) (z t : box) : box := Box (low t) (upd (high t) k (Z.min (high t k) (low z k))).
Definition above (k : nat) (z t : box) : box := Box (upd (low t) k (Z.max (low t k) (high z k))) (high t).
Definition level (k : nat) (z t : box) : box :=
  Box (upd (low t) k (Z.max (low t k) (low z k))) (upd (high t) k (Z.min (high t k) (high z k))).

(* The inner loop of Covered, over n dimensions from k on: cov is the call with the zones that follow. *)
Fixpoint carve (cov : box -> bool) (z : box) (n k : nat) (t : box) : bool :=
  match n with
  | O => true
  | S m => cov (below k z t) && cov (above k z t) && carve cov z m (S k) (level k z t)
  end.

Section Cover.
Variable d : nat.

(* Covered. *)
Fixpoint covered (zones : list box) (t : box) : bool :=
  if empty d t then true
  else match zones with
       | [] => false
       | z :: rest => if empty d (meet z t) then covered rest t else carve (covered rest) z d 0 t
       end.

Definition all_in (zones : list box) (t : box) : Prop :=
  forall p, inside d t p -> exists z, In z zones /\ inside d z p.

Lemma empty_false : forall b, empty d b = false <-> nonempty d b.
Proof.
  unfold nonempty; induction d as [|n IH]; intros b; simpl.
  - split; [intros _ k Hk; lia | reflexivity].
  - rewrite orb_false_iff, IH, Z.leb_gt; split.
    + intros [H L] k Hk; destruct (Nat.eq_dec k n); [subst; exact L | apply H; lia].
    + intros H; split; [intros k Hk; apply H; lia | apply H; lia].
Qed.

Lemma empty_true : forall b p, empty d b = true -> ~ inside d b p.
Proof.
  intros b p E I; apply inside_nonempty, empty_false in I; congruence.
Qed.

Ltac each k :=
  let j := fresh "j" in let Hj := fresh "Hj" in intros j Hj; match goal with
  | H : inside d _ _ |- _ => specialize (H j Hj); simpl in *; unfold upd in *
  end; destruct (Nat.eqb_spec j k); subst; lia.

Ltac here k H := specialize (H k ltac:(assumption)); simpl in H; rewrite !upd_same in H; lia.

Lemma below_inside : forall k z t p, (k < d)%nat -> (inside d (below k z t) p <-> inside d t p /\ p k < low z k).
Proof.
  intros k z t p Hk; split; [intros H; split; [each k | here k H] | intros [H L]; each k].
Qed.

Lemma above_inside : forall k z t p, (k < d)%nat -> (inside d (above k z t) p <-> inside d t p /\ high z k <= p k).
Proof.
  intros k z t p Hk; split; [intros H; split; [each k | here k H] | intros [H L]; each k].
Qed.

Lemma level_inside : forall k z t p, (k < d)%nat ->
  (inside d (level k z t) p <-> inside d t p /\ low z k <= p k < high z k).
Proof.
  intros k z t p Hk; split; [intros H; split; [each k | here k H] | intros [H L]; each k].
Qed.

(* The loop asks of exactly those points of the target that lie outside of z whether others cover them. *)
Lemma carve_correct : forall cov z (covers : point -> Prop),
  (forall t, cov t = true <-> forall p, inside d t p -> covers p) ->
  forall n k t, (n + k <= d)%nat ->
  (carve cov z n k t = true <->
   forall p, inside d t p -> (forall j, (k <= j < n + k)%nat -> low z j <= p j < high z j) \/ covers p).
Proof.
  intros cov z covers C n; induction n as [|n IH]; intros k t Hk; simpl.
  - split; [intros _ p _; left; intros j Hj; lia | reflexivity].
  - rewrite !andb_true_iff, !C, (IH (S k)) by lia; split.
    + intros [[Hb Ha] Hl] p Hp.
      destruct (Z_lt_le_dec (p k) (low z k)) as [L|L]; [right; apply Hb, below_inside; [lia | easy]|].
      destruct (Z_lt_le_dec (p k) (high z k)) as [R|R]; [|right; apply Ha, above_inside; [lia | easy]].
      destruct (Hl p) as [I|I]; [apply level_inside; [lia | easy] | left | right; exact I].
      intros j Hj; destruct (Nat.eq_dec j k); [subst; lia | apply I; lia].
    + intros H; split; [split|]; intros p Hp.
      * apply below_inside in Hp; [|lia]; destruct Hp as [Hp L].
        destruct (H p Hp) as [I|I]; [specialize (I k ltac:(lia)); lia | exact I].
      * apply above_inside in Hp; [|lia]; destruct Hp as [Hp L].
        destruct (H p Hp) as [I|I]; [specialize (I k ltac:(lia)); lia | exact I].
      * apply level_inside in Hp; [|lia]; destruct Hp as [Hp L].
        destruct (H p Hp) as [I|I]; [left; intros j Hj; apply I; lia | right; exact I].
Qed.

(* Covered says true exactly if every point of the target lies in one of the zones. *)
Theorem covered_correct : forall zones t, covered zones t = true <-> all_in zones t.
Proof.
  unfold all_in; induction zones as [|z rest IH]; intros t; simpl; destruct (empty d t) eqn:E.
  - split; [intros _ p Hp; destruct (empty_true t p E Hp) | reflexivity].
  - apply empty_false in E; split; [discriminate|].
    intros H; destruct (H (low t) (nonempty_inside d t E)) as [z [[] _]].
  - split; [intros _ p Hp; destruct (empty_true t p E Hp) | reflexivity].
  - destruct (empty d (meet z t)) eqn:M.
    + rewrite IH; split; intros H p Hp; destruct (H p Hp) as [y [Hy Iy]].
      * exists y; split; [right; exact Hy | exact Iy].
      * destruct Hy as [->|Hy]; [|now exists y].
        destruct (empty_true _ p M); apply meet_inside; easy.
    + rewrite (carve_correct (covered rest) z _ IH d 0 t) by lia; split; intros H p Hp.
      * destruct (H p Hp) as [I|[y [Hy Iy]]].
        -- exists z; split; [now left | intros k Hk; apply I; lia].
        -- exists y; split; [now right | exact Iy].
      * destruct (H p Hp) as [y [[->|Hy] Iy]]; [left; intros k Hk; apply Iy; lia | right; now exists y].
Qed.

(* Space.BorderCovered. *)
Fixpoint border_covered (n : nat) (whole z : box) (zones : list box) : bool :=
  match n with
  | O => true
  | S m => border_covered m whole z zones
           && covered zones (meet (beyond z (Face m false)) whole)
           && covered zones (meet (beyond z (Face m true)) whole)
  end.

Theorem border_covered_correct : forall n whole z zones, (n <= d)%nat ->
  (border_covered n whole z zones = true <->
   forall f q, (fdim f < n)%nat -> inside d (beyond z f) q -> inside d whole q ->
   exists y, In y zones /\ inside d y q).
Proof.
  intros n whole z zones; induction n as [|n IH]; intros Hn; simpl.
  - split; [intros _ f q Hf; lia | reflexivity].
  - rewrite !andb_true_iff, IH, !covered_correct by lia; unfold all_in; split.
    + intros [[H L] R] [k s] q Hf B W; simpl in Hf.
      destruct (Nat.eq_dec k n); [subst|apply (H (Face k s)); simpl; [lia | easy | easy]].
      destruct s; [apply R | apply L]; apply meet_inside; easy.
    + intros H; split; [split|].
      * intros f q Hf; apply H; lia.
      * intros p Hp; apply meet_inside in Hp; apply (H (Face n false)); simpl; [lia | easy | easy].
      * intros p Hp; apply meet_inside in Hp; apply (H (Face n true)); simpl; [lia | easy | easy].
Qed.

(* Progress once more, by what the code computes: if BorderCovered says true of a node's zone and its
   neighbours', then one of them is strictly nearer to any point of the space that is not the node's. *)
Theorem progress_computed : forall whole z zones p, nonempty d z ->
  (forall j, (j < d)%nat -> low whole j <= low z j /\ high z j <= high whole j) ->
  border_covered d whole z zones = true -> inside d whole p -> ~ inside d z p ->
  exists y, In y zones /\ distance d y p < distance d z p.
Proof.
  intros whole z zones p H W B P Out.
  pose proof (proj1 (border_covered_correct d whole z zones (le_n d)) B) as Cover.
  destruct (progress d {y | In y zones} (@proj1_sig _ _) whole z p H W) as [[y Hy] Near]; [| assumption | assumption |].
  - intros f q Hf HB HW; destruct (Cover f q Hf HB HW) as [y [Hy Iy]]; now exists (exist _ y Hy).
  - now exists y.
Qed.

End Cover.

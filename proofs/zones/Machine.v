(* The integers of the code are finite. With coordinates of a space, from 0 to 2^30, nothing overflows:
   int32 where the code has int32, uint64 for Zone.Distance. *)

From Coq Require Import ZArith Lia Bool PeanoNat.
From Canvass Require Import Box Split Greedy.
Open Scope Z_scope.

Definition max_coordinate : Z := 2 ^ 30.
Definition max_int32 : Z := 2 ^ 31 - 1.
Definition max_uint64 : Z := 2 ^ 64 - 1.

(* All intermediate results of function between. *)
Theorem plane_fits : forall a b, 0 <= a <= max_coordinate -> 0 <= b <= max_coordinate ->
  0 <= Z.max a b - Z.min a b + 1 <= max_int32 /\ 0 <= plane a b <= max_int32.
Proof.
  unfold max_coordinate, max_int32; intros a b Ha Hb.
  destruct (Z.eq_dec a b) as [->|Hne].
  - unfold plane; rewrite Z.max_id, Z.min_id; replace (b - b + 1) with 1 by lia; change (Z.quot 1 2) with 0; lia.
  - pose proof (plane_between a b Hne); lia.
Qed.

(* The layer beyond a face: from -1 to 2^30 + 1. *)
Theorem beyond_fits : forall b f k,
  0 <= low b k <= max_coordinate -> 0 <= high b k <= max_coordinate ->
  -1 <= low (beyond b f) k <= max_int32 /\ 0 <= high (beyond b f) k <= max_int32.
Proof.
  unfold max_coordinate, max_int32; intros b [j s] k L H; unfold beyond; simpl.
  destruct s; simpl; unfold upd; destruct (Nat.eqb_spec k j) as [->|_]; lia.
Qed.

(* Eight dimensions fit. *)
Theorem distance_fits : forall b p, (forall k, 0 <= p k <= max_coordinate) ->
  (forall k, 0 <= low b k <= max_coordinate /\ 0 <= high b k <= max_coordinate) ->
  forall d, (d <= 8)%nat -> 0 <= distance d b p <= max_uint64.
Proof.
  unfold max_coordinate, max_uint64; intros b p P B d Hd.
  assert (G : forall k, 0 <= gap b p k <= 2 ^ 30 + 1).
  { intros k; specialize (P k); destruct (B k) as [L H]; unfold gap.
    destruct (Z.ltb_spec (p k) (low b k)); [lia|]; destruct (Z.leb_spec (high b k) (p k)); lia. }
  assert (D : forall n, distance n b p <= Z.of_nat n * (2 ^ 30 + 1) ^ 2).
  { induction n as [|n IH]; [simpl; lia|]; specialize (G n).
    rewrite Nat2Z.inj_succ; simpl distance; nia. }
  split; [apply distance_nonneg|]; specialize (D d); nia.
Qed.

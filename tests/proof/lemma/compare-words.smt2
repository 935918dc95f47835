; C3 (ordo_cmp_time, ordo_stamp_after): `a > b && a - b > B` has the same value on 64-bit words as on numbers, for all words and all B.
(set-logic QF_BV)
(declare-fun a () (_ BitVec 64))
(declare-fun b () (_ BitVec 64))
(declare-fun B () (_ BitVec 64))
(define-fun wide ((w (_ BitVec 64))) (_ BitVec 66) ((_ zero_extend 2) w))
(define-fun truth () Bool (bvugt (wide a) (bvadd (wide b) (wide B))))
(push)
(assert (not (= truth (and (bvugt a b) (bvugt (bvsub a b) B)))))
(check-sat) ; valid
(pop)
(push)
(assert (bvult B #x0800000000000000))
(assert (not (= truth (bvugt a (bvadd b B)))))
(check-sat) ; add first, compare then: wraps at a sentinel
(get-value (a b B))
(pop)
(assert (bvult B #x0800000000000000))
(assert (not (= truth (bvsgt (bvsub a b) B))))
(check-sat) ; the signed difference: reverses at a sentinel
(get-value (a b B))

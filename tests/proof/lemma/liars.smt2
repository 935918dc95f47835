; Liars: of two ways from the reference to v that share no host, the wider bound holds if at most one host lies.
; The first way proves v <= w1, the second v <= w2, if the host between its ends is honest; v and the reference are
; honest. Refuted for the tighter bound, which holds if no host lies, and for two liars.
(set-logic QF_LIA)
(declare-fun v () Int)
(declare-fun w1 () Int)
(declare-fun w2 () Int)
(declare-fun lies1 () Bool)
(declare-fun lies2 () Bool)
(define-fun larger () Int (ite (> w1 w2) w1 w2))
(define-fun smaller () Int (ite (> w1 w2) w2 w1))
(assert (and (or lies1 (<= v w1)) (or lies2 (<= v w2))))
(push)
(assert (and (not (and lies1 lies2)) (not (<= v larger))))
(check-sat) ; valid
(pop)
(push)
(assert (and (not lies1) (not lies2) (not (<= v smaller))))
(check-sat) ; valid
(pop)
(push)
(assert (and (not (and lies1 lies2)) (not (<= v smaller))))
(check-sat) ; the smaller bound, if one may lie
(get-value (v w1 w2 lies1 lies2))
(pop)
(assert (not (<= v larger)))
(check-sat) ; both may lie
(get-value (v w1 w2 lies1 lies2))

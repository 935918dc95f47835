; new_time(t) (ordo_new_time, hk_pass): once a clock shows more than t + B, every later read on any CPU shows more than t.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun t () Int)
(declare-fun at () Int)
(declare-fun s () Int)
(declare-fun later () Int)
(declare-fun r () Int)
(define-fun now () Int (+ at s))
(define-fun read () Int (+ later r))
(assert (and (<= (- s r) B) (<= (- r s) B) (<= at later)))
(push)
(assert (and (> now (+ t B)) (not (> read t))))
(check-sat) ; valid
(pop)
(assert (and (> now (+ t B -1)) (not (> read t))))
(check-sat) ; waiting one tick less
(get-value (B t at s now later r read))

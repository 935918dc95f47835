; The commit wait (C5, ordo_stamp_settle): once a clock shows more than t + 2B, every later read is *certainly* after t.
; Refuted one tick lower, and for the wait of new_time alone, now > t + B.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun t () Int)
(declare-fun at () Int)
(declare-fun s () Int)
(declare-fun later () Int)
(declare-fun r () Int)
(define-fun now () Int (+ at s))
(define-fun read () Int (+ later r))
(define-fun certainly () Bool (> read (+ t B)))
(assert (and (<= (- s r) B) (<= (- r s) B) (<= at later)))
(push)
(assert (and (> now (+ t B B)) (not certainly)))
(check-sat) ; valid
(pop)
(push)
(assert (and (> now (+ t B B -1)) (not certainly)))
(check-sat) ; one tick less
(get-value (B t at s now later r read))
(pop)
(assert (and (> B 0) (> now (+ t B)) (not certainly)))
(check-sat) ; B in place of 2B
(get-value (B t at s now later r read))

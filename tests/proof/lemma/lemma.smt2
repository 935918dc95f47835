; The lemma (include/ordo/ordo.h): a read that happens after a read x shows at least x - B.
; t, u: true times of the two reads; s, r: how far the two CPUs' clocks are ahead of it.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun t () Int)
(declare-fun u () Int)
(declare-fun s () Int)
(declare-fun r () Int)
(define-fun x () Int (+ t s))
(define-fun y () Int (+ u r))
(assert (and (<= (- s r) B) (<= (- r s) B) (<= t u)))
(push)
(assert (not (>= y (- x B))))
(check-sat) ; valid
(pop)
(assert (not (>= y (+ (- x B) 1))))
(check-sat) ; refuted for one tick more
(get-value (B t s x u r y))

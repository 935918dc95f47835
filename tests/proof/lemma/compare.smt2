; cmp_time (ordo_cmp_time, ordo_stamp_after): of two readings, a > b + B shows that a was taken after b.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun t () Int)
(declare-fun u () Int)
(declare-fun s () Int)
(declare-fun r () Int)
(define-fun a () Int (+ t s))
(define-fun b () Int (+ u r))
(assert (and (<= (- s r) B) (<= (- r s) B)))
(push)
(assert (and (> a (+ b B)) (not (> t u))))
(check-sat) ; valid
(pop)
(assert (and (> a (+ b B -1)) (not (> t u))))
(check-sat) ; refuted for a boundary that is one tick smaller
(get-value (B t s a u r b))

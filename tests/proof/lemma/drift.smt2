; Drift without statistics (ordo_offset_drift): if the offset is in [L1, H1] at t1 and in [L2, H2] at t2, the drift
; rho satisfies L2 - H1 <= rho (t2 - t1) <= H2 - L1, for any rates and times.
(set-logic QF_NRA)
(declare-fun rho () Real)
(declare-fun o () Real)
(declare-fun t1 () Real)
(declare-fun t2 () Real)
(declare-fun L1 () Real)
(declare-fun H1 () Real)
(declare-fun L2 () Real)
(declare-fun H2 () Real)
(define-fun o1 () Real o)
(define-fun o2 () Real (+ o (* rho (- t2 t1))))
(assert (< t1 t2))
(assert (and (<= L1 o1) (<= o1 H1) (<= L2 o2) (<= o2 H2)))
(push)
(assert (not (and (<= (- L2 H1) (* rho (- t2 t1))) (<= (* rho (- t2 t1)) (- H2 L1)))))
(check-sat) ; valid
(pop)
(push)
(assert (not (<= (* rho (- t2 t1)) (- H2 L1 1))))
(check-sat) ; one tick lower
(get-value (rho t1 t2 L1 H1 L2 H2))
(pop)
(assert (not (<= (+ (- L2 H1) 1) (* rho (- t2 t1)))))
(check-sat) ; one tick higher
(get-value (rho t1 t2 L1 H1 L2 H2))

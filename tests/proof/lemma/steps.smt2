; No drift fits three sweeps whose intervals no straight line passes (rho_min > rho_max): the clock stepped or bent
; (ordo_offset_drift). Sweeps at 0, T and 2T.
(set-logic QF_NRA)
(declare-fun rho () Real)
(declare-fun o () Real)
(declare-fun T () Real)
(declare-fun H0 () Real)
(declare-fun L1 () Real)
(declare-fun H2 () Real)
(assert (and (< 0.0 T) (<= o H0) (>= (+ o (* rho T)) L1) (<= (+ o (* 2.0 rho T)) H2)))
(push)
(assert (> (- L1 H0) (- H2 L1)))
(check-sat) ; valid: a constant rate never makes rho_min > rho_max
(pop)
(assert (> (- L1 H0) (- H2 L1 1.0)))
(check-sat) ; one tick lower, it may
(get-value (rho o T H0 L1 H2))

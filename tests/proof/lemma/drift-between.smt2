; A bound that holds at two sweeps holds between them while the rates are constant: an offset that is a straight line stays
; between its values at the ends. Refuted beyond the second sweep.
(set-logic QF_NRA)
(declare-fun B () Real)
(declare-fun o () Real)
(declare-fun rho () Real)
(declare-fun T () Real)
(declare-fun t () Real)
(define-fun at ((x Real)) Real (+ o (* rho x)))
(assert (and (<= (- B) (at 0.0)) (<= (at 0.0) B) (<= (- B) (at T)) (<= (at T) B) (< 0.0 T)))
(push)
(assert (and (<= 0.0 t) (<= t T) (not (and (<= (- B) (at t)) (<= (at t) B)))))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= 0.0 t) (<= t T) (not (<= (at t) (- B 1.0)))))
(check-sat) ; one tick less
(get-value (B o rho T t))
(pop)
(assert (and (= t (+ T 1.0)) (not (<= (at t) B))))
(check-sat) ; later
(get-value (B o rho T t))

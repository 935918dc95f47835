; No correction of the clocks of 2 CPUs makes the boundary smaller than the mean of a cycle of deltas: the corrections
; cancel along it. Therefore the maximum cycle mean is the lower limit of every corrected boundary.
(set-logic QF_LIA)
(declare-fun R () Int) ; the boundary after correction
(declare-fun c1 () Int) ; correction of CPU 1
(declare-fun c2 () Int) ; correction of CPU 2
(declare-fun d12 () Int) ; smallest delta, reading of CPU 2 less reading of CPU 1
(declare-fun d21 () Int) ; smallest delta, reading of CPU 1 less reading of CPU 2
(assert (and (<= (- (+ d12 c1) c2) R) (<= (- (+ d21 c2) c1) R)))
(push)
(assert (not (>= (* 2 R) (+ d12 d21))))
(check-sat) ; valid
(pop)
(assert (not (>= (* 2 R) (+ (+ d12 d21) 1))))
(check-sat) ; refuted for one tick more
(get-value (R c1 d12 c2 d21))

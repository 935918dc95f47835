; No correction of the clocks of 3 CPUs makes the boundary smaller than the mean of a cycle of deltas: the corrections
; cancel along it. Therefore the maximum cycle mean is the lower limit of every corrected boundary.
(set-logic QF_LIA)
(declare-fun R () Int) ; the boundary after correction
(declare-fun c1 () Int) ; correction of CPU 1
(declare-fun c2 () Int) ; correction of CPU 2
(declare-fun c3 () Int) ; correction of CPU 3
(declare-fun d12 () Int) ; smallest delta, reading of CPU 2 less reading of CPU 1
(declare-fun d23 () Int) ; smallest delta, reading of CPU 3 less reading of CPU 2
(declare-fun d31 () Int) ; smallest delta, reading of CPU 1 less reading of CPU 3
(assert (and (<= (- (+ d12 c1) c2) R) (<= (- (+ d23 c2) c3) R) (<= (- (+ d31 c3) c1) R)))
(push)
(assert (not (>= (* 3 R) (+ d12 d23 d31))))
(check-sat) ; valid
(pop)
(assert (not (>= (* 3 R) (+ (+ d12 d23 d31) 1))))
(check-sat) ; refuted for one tick more
(get-value (R c1 d12 c2 d23 c3 d31))

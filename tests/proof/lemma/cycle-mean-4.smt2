; No correction of the clocks of 4 CPUs makes the boundary smaller than the mean of a cycle of deltas: the corrections
; cancel along it. Therefore the maximum cycle mean is the lower limit of every corrected boundary.
(set-logic QF_LIA)
(declare-fun R () Int) ; the boundary after correction
(declare-fun c1 () Int) ; correction of CPU 1
(declare-fun c2 () Int) ; correction of CPU 2
(declare-fun c3 () Int) ; correction of CPU 3
(declare-fun c4 () Int) ; correction of CPU 4
(declare-fun d12 () Int) ; smallest delta, reading of CPU 2 less reading of CPU 1
(declare-fun d23 () Int) ; smallest delta, reading of CPU 3 less reading of CPU 2
(declare-fun d34 () Int) ; smallest delta, reading of CPU 4 less reading of CPU 3
(declare-fun d41 () Int) ; smallest delta, reading of CPU 1 less reading of CPU 4
(assert (and (<= (- (+ d12 c1) c2) R) (<= (- (+ d23 c2) c3) R) (<= (- (+ d34 c3) c4) R) (<= (- (+ d41 c4) c1) R)))
(push)
(assert (not (>= (* 4 R) (+ d12 d23 d34 d41))))
(check-sat) ; valid
(pop)
(assert (not (>= (* 4 R) (+ (+ d12 d23 d34 d41) 1))))
(check-sat) ; refuted for one tick more
(get-value (R c1 d12 c2 d23 c3 d34 c4 d41))

; The limit is met: for every three deltas d12, d23, d31 whose sum is 3 m there are corrections that leave exactly m in
; the direction of the cycle; and none leave m - 1.
(set-logic QF_LIA)
(declare-fun m () Int)
(declare-fun d12 () Int)
(declare-fun d23 () Int)
(declare-fun d31 () Int)
(assert (= (+ d12 d23 d31) (* 3 m)))
(define-fun c1 () Int 0)
(define-fun c2 () Int (+ c1 (- d12 m)))
(define-fun c3 () Int (+ c2 (- d23 m)))
(define-fun left () Bool (and (<= (- (+ d12 c1) c2) m) (<= (- (+ d23 c2) c3) m) (<= (- (+ d31 c3) c1) m)))
(push)
(assert (not left))
(check-sat) ; valid
(pop)
(assert (not (and left (<= (- (+ d31 c3) c1) (- m 1)))))
(check-sat) ; one tick less
(get-value (m d12 d23 d31 c2 c3))

; Wander in a merge (ordo_model_merge, [W3]): with each drift off by an error e of at most its own wander w, and
; 1 + |d| + w at most `reach`, the merged drift d1 + d2 - d1 d2 is off by at most (w1 + w2) reach.
; In two steps, because products are hard: first of one product, then of the sum of two.
(set-logic QF_NRA)
(declare-fun d1 () Real)
(declare-fun d2 () Real)
(declare-fun e1 () Real)
(declare-fun e2 () Real)
(declare-fun w1 () Real)
(declare-fun w2 () Real)
(declare-fun reach () Real)
(define-fun off ((a Real) (b Real)) Real (- (+ a b) (* a b)))
(define-fun error () Real (- (off (+ d1 e1) (+ d2 e2)) (off d1 d2)))
(define-fun first () Real (* e1 (- 1.0 d2)))
(define-fun second () Real (* e2 (- 1.0 d1 e1)))
(assert (and (<= 0.0 w1) (<= 0.0 w2)))
(push)
(assert (not (= error (+ first second))))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= (- w1) e1) (<= e1 w1) (<= (- reach) (- 1.0 d2)) (<= (- 1.0 d2) reach)))
(assert (> first (* w1 reach)))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= (- w1) e1) (<= e1 w1) (<= (- reach) (- 1.0 d2)) (<= (- 1.0 d2) reach)))
(assert (< first (- (* w1 reach))))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= (- w1) e1) (<= e1 w1) (<= (+ 1.0 d1 w1) reach) (<= (+ 1.0 (- d1) w1) reach)))
(assert (not (and (<= (- reach) (- 1.0 d1 e1)) (<= (- 1.0 d1 e1) reach))))
(check-sat) ; valid
(pop)
(assert (and (<= (- w1) e1) (<= e1 w1) (<= (- w2) e2) (<= e2 w2) (= d1 d2 0.0)))
(assert (not (<= error (- (+ w1 w2) 1.0))))
(check-sat) ; less than the sum
(get-value (d1 d2 e1 e2 w1 w2 error))

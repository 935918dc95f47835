; Merging two clock models (ordo_model_merge): client - middle in [l1, h1] and middle - reference in [l2, h2], each at the
; same instant, give client - reference in [l1 + l2, h1 + h2]; and the drift is d1 + d2 - d1 d2, with the middle's clock
; running 1 - d1 as fast as the client's.
(set-logic QF_NRA)
(declare-fun c () Real)
(declare-fun m () Real)
(declare-fun g () Real)
(declare-fun l1 () Real)
(declare-fun h1 () Real)
(declare-fun l2 () Real)
(declare-fun h2 () Real)
(declare-fun d1 () Real)
(declare-fun d2 () Real)
(declare-fun t () Real) ; the client's clock goes on by t
(define-fun middle_goes () Real (* t (- 1.0 d1)))
(define-fun reference_goes () Real (* middle_goes (- 1.0 d2)))
(assert (and (<= l1 (- c m)) (<= (- c m) h1) (<= l2 (- m g)) (<= (- m g) h2)))
(define-fun drift () Real (- (+ d1 d2) (* d1 d2)))
(push)
(assert (not (and (<= (+ l1 l2) (- c g)) (<= (- c g) (+ h1 h2)) (= (- t reference_goes) (* drift t)))))
(check-sat) ; valid
(pop)
(push)
(assert (not (<= (- c g) (+ h1 h2 -1))))
(check-sat) ; one tick lower
(get-value (c m g l1 h1 l2 h2))
(pop)
(assert (not (= (- t reference_goes) (* (+ d1 d2) t))))
(check-sat) ; without the product
(get-value (d1 d2 t))

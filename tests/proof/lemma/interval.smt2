; Two directions (ordo_exchange_visit): the offset client - reference lies in [-delta_ba, delta_ab], and no narrower
; interval is certain. theta: the offset; f, b: how long the messages took.
(set-logic QF_LIA)
(declare-fun theta () Int)
(declare-fun f () Int)
(declare-fun b () Int)
(declare-fun t () Int)
(declare-fun u () Int)
(assert (and (>= f 0) (>= b 0)))
(define-fun delta_ab () Int (- (+ t f theta) t)) ; reference to client
(define-fun delta_ba () Int (- (+ u b) (+ u theta)))
(push)
(assert (not (and (<= (- delta_ba) theta) (<= theta delta_ab))))
(check-sat) ; valid
(pop)
(push)
(assert (not (<= theta (- delta_ab 1))))
(check-sat) ; the upper end cannot be lowered
(get-value (theta f b delta_ab delta_ba))
(pop)
(assert (not (<= (+ (- delta_ba) 1) theta)))
(check-sat) ; nor the lower raised
(get-value (theta f b delta_ab delta_ba))

; HCA3's step (ordo_model_relay, [R1] [R2]): the client read s when it asked, the middle p when it answered, the client r
; when it had the answer; o is the middle's offset against the reference at p, between l and h. Then the client's offset
; at r is at most r - p + h, and at s at least s - p + l.
(set-logic QF_LIA)
(declare-fun p () Int)
(declare-fun s () Int)
(declare-fun r () Int)
(declare-fun o () Int)
(declare-fun l () Int)
(declare-fun h () Int)
(declare-fun asked () Int)    ; on the reference's clock
(declare-fun answered () Int)
(declare-fun got () Int)
(assert (and (<= asked answered) (<= answered got)))
(assert (= o (- p answered)))
(assert (and (<= l o) (<= o h)))
(push)
(assert (not (and (<= (- r got) (+ (- r p) h)) (>= (- s asked) (+ (- s p) l)))))
(check-sat) ; valid
(pop)
(assert (not (<= (- r got) (+ (- r p) h -1))))
(check-sat) ; one tick lower
(get-value (p s r o l h asked answered got))

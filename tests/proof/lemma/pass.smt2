; Argument 3 of lib/cc/txn/hekaton/types.h: T waits until now > e + B before it validates; T' takes e' after that. Then
; e' > e, so a snapshot that misses T because e >= b - B misses T' too.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun e () Int)
(declare-fun now () Int)
(declare-fun f () Int) ; e'
(assert (and (>= B 0) (>= f (- now B)))) ; the lemma
(push)
(assert (and (> now (+ e B)) (not (> f e))))
(check-sat) ; valid
(pop)
(push)
(assert (and (> now (+ e B -1)) (not (> f e))))
(check-sat) ; one tick less
(get-value (B e now f))
(pop)
(declare-fun b () Int)
(assert (and (> now (- e 1)) (> B 1) (>= e (- b B)) (< f (- b B))))
(check-sat) ; no wait: T is missed at b, and T' is seen
(get-value (B e now f b))

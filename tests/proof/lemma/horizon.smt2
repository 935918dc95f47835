; C10 (lib/cc/txn/core.h): no transaction can use memory that became unreachable at t < min(oldest active, now) - 2B: if
; it could hold a pointer, t >= x - B; and if it begins after the scan, or is active, x > t + B.
; x: begin of any transaction that is active at the scan or begins later.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun t () Int)
(declare-fun oldest () Int)
(declare-fun now () Int)
(declare-fun x () Int)
(declare-fun active () Bool)
(assert (and (>= B 0) (=> active (>= x oldest)) (=> (not active) (>= x (- now B)))))
(define-fun least () Int (ite (< oldest now) oldest now))
(define-fun past () Bool (> x (+ t B))) ; certainly: its walk stops above a version that ended at t
(define-fun holds () Bool (>= t (- x B))) ; it may hold a pointer
(push)
(assert (< t (- least (* 2 B))))
(assert (or (not past) (and active holds)))
(check-sat) ; valid
(pop)
(push)
(assert (< t (+ 1 (- least (* 2 B)))))
(assert (or (not past) (and active holds)))
(check-sat) ; one tick more
(get-value (B t oldest now x active))
(pop)
(assert (and (< t (- least B)) (> B 0)))
(assert (not past))
(check-sat) ; B in place of 2B
(get-value (B t oldest now x active))

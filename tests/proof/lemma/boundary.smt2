; A boundary measured as the maximum over directions and pairs of the minimum over runs is sound (lib/calibrate/bound):
; a message cannot arrive before it is sent, so each delta is at least the skew. For any number of CPUs and runs: skew,
; sent and arrived are arbitrary functions, and i, j is any pair.
(set-logic UFLIA)
(declare-fun skew (Int) Int)
(declare-fun sent (Int Int Int) Int)    ; true time at which CPU 1 sends to CPU 2 in run 3
(declare-fun arrived (Int Int Int) Int)
(declare-fun best (Int Int) Int)        ; the run with the smallest delta
(declare-fun B () Int)
(declare-fun i () Int)
(declare-fun j () Int)
(define-fun delta ((a Int) (b Int) (k Int)) Int (- (+ (arrived a b k) (skew b)) (+ (sent a b k) (skew a))))
(define-fun minimum ((a Int) (b Int)) Int (delta a b (best a b)))
(assert (<= (sent i j (best i j)) (arrived i j (best i j))))
(assert (<= (sent j i (best j i)) (arrived j i (best j i))))
(push)
(assert (and (>= B (minimum i j)) (>= B (minimum j i))))
(assert (or (> (- (skew i) (skew j)) B) (> (- (skew j) (skew i)) B)))
(check-sat) ; valid
(pop)
(push)
(assert (and (>= B (- (minimum i j) 1)) (>= B (- (minimum j i) 1))))
(assert (or (> (- (skew i) (skew j)) B) (> (- (skew j) (skew i)) B)))
(check-sat) ; a boundary one tick smaller
(get-value (B (skew i) (skew j) (minimum i j) (minimum j i)))
(pop)
(assert (and (or (>= B (minimum i j)) (>= B (minimum j i))) (>= B 0)))
(assert (or (> (- (skew i) (skew j)) B) (> (- (skew j) (skew i)) B)))
(check-sat) ; the smaller of the two directions hides a skewed clock
(get-value (B (skew i) (skew j) (minimum i j) (minimum j i)))

; A clock that advances in steps of g = 26 ticks, read with any remainder: a smallest delta plus one granule bounds how
; far a later read can be below an earlier one (lib/calibrate/bound, lib/machine/counter).
; c1, c2: the fine clocks of the CPUs at one moment; a message from 2 to 1 without a delay showed `delta`.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun phase1 () Int) ; remainder of the readings of CPU 1 modulo 26
(declare-fun phase2 () Int)
(declare-fun d () Int)      ; fine clock 1 minus fine clock 2
(declare-fun c () Int)      ; fine clock 2 at the measurement
(declare-fun e () Int)      ; fine clock 2 at a later use
(declare-fun latency () Int)
(declare-fun k1 () Int)
(declare-fun k2 () Int)
(declare-fun m1 () Int)
(declare-fun m2 () Int)
(define-fun read1 ((k Int)) Int (+ (* 26 k) phase1))
(define-fun read2 ((k Int)) Int (+ (* 26 k) phase2))
(define-fun shows ((reading Int) (fine Int)) Bool (and (<= reading fine) (< fine (+ reading 26))))
(assert (and (>= latency 0) (>= phase1 0) (< phase1 26) (>= phase2 0) (< phase2 26)))
(assert (and (shows (read2 k2) c) (shows (read1 k1) (+ c d latency))))
(define-fun delta () Int (- (read1 k1) (read2 k2)))
(declare-fun wait () Int)   ; the later read is that much later
(assert (>= wait 0))
(assert (and (shows (read1 m1) (+ e d)) (shows (read2 m2) (+ e wait))))
(push)
(assert (not (>= (read2 m2) (- (read1 m1) (+ delta 26)))))
(check-sat) ; valid
(pop)
(assert (not (>= (read2 m2) (- (read1 m1) (+ delta 25)))))
(check-sat) ; one tick less than a granule
(get-value (d delta (read1 m1) (read2 m2)))

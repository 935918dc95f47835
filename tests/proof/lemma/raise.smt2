; ordo_stamp_raise: times of a stamp are at most now + B. Once the new boundary C >= B is settled for now + C, every later
; read is certainly after each of them, under C.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun C () Int)
(declare-fun t () Int)
(declare-fun now () Int)
(declare-fun end () Int)
(declare-fun read () Int)
(assert (and (>= B 0) (>= C B) (<= t (+ now B)) (>= read (- end B))))
(push)
(assert (and (> end (+ now C C C)) (not (> read (+ t C)))))
(check-sat) ; valid
(pop)
(assert (and (> end (+ now C C C -1)) (not (> read (+ t C)))))
(check-sat) ; one tick less
(get-value (B C t now end read))

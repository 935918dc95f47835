; C5 join (ordo_rlu_thread_init): a thread missing in the writer's list has read its clock after W was read, and
; marks itself with that time + B. A section that is after its mark is then after W.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun W () Int)
(declare-fun joined () Int)
(declare-fun L () Int)
(assert (and (>= B 0) (>= joined (- W B)))) ; the lemma
(push)
(assert (and (> L (+ joined B B)) (not (> L (+ W B)))))
(check-sat) ; valid
(pop)
(assert (and (> L (+ joined B B -1)) (not (> L (+ W B)))))
(check-sat) ; one tick less
(get-value (B W joined L))

; A model carried to another instant ([W2], change() of lib/cluster/sync/model.c): over `age`, an offset whose drift d stays
; within [a - w, b + w] changes by at least a age - w age, or b age + w age if age < 0. Of the lower bounds at two ends
; of a stretch the smaller holds everywhere between, so that a merge need only check the ends.
(set-logic QF_NRA)
(declare-fun a () Real)
(declare-fun b () Real)
(declare-fun w () Real)
(declare-fun d () Real)
(declare-fun age () Real)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (and (<= a b) (<= 0.0 w) (<= (- a w) d) (<= d (+ b w))))
(push)
(assert (and (>= age 0.0) (not (>= (* d age) (* (- a w) age)))))
(check-sat) ; valid
(pop)
(push)
(assert (and (< age 0.0) (not (>= (* d age) (* (+ b w) age)))))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= x 0.0) (<= 0.0 age) (<= age y)))
(assert (and (< (* (- a w) age) (* (- a w) y)) (< (* (- a w) age) (* (+ b w) x))))
(check-sat) ; valid
(pop)
(push)
(assert (and (<= x age) (<= age 0.0) (<= 0.0 y)))
(assert (and (< (* (+ b w) age) (* (- a w) y)) (< (* (+ b w) age) (* (+ b w) x))))
(check-sat) ; valid
(pop)
(push)
(assert (and (>= age 0.0) (not (>= (* d age) (+ (* (- a w) age) 1.0)))))
(check-sat) ; one tick higher
(get-value (a b w d age))
(pop)
(assert (and (> w 0.0) (>= age 0.0) (not (>= (* d age) (* a age)))))
(check-sat) ; without the wander
(get-value (a b w d age))

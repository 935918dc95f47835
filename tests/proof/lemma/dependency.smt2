; Order between commits of RLU: a section with L after W1 that commits at W2 (read later, so W2 >= L - B) and a section with
; L' after W2: the second sees commit 1 too, without any wait of the writer.
(set-logic QF_LIA)
(declare-fun B () Int)
(declare-fun W1 () Int)
(declare-fun L () Int)
(declare-fun W2 () Int)
(declare-fun M () Int) ; L'
(assert (and (>= B 0) (> L (+ W1 B)) (>= W2 (- L B)) (> M (+ W2 B))))
(push)
(assert (not (> M (+ W1 B))))
(check-sat) ; valid
(pop)
(assert (not (> M (+ W1 B 2))))
(check-sat) ; one tick less still holds, two ticks less do not
(get-value (B W1 L W2 M))

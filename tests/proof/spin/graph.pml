/* The conflict graph of three transactions over two records. A version of a record is named by its slot: slot 0 is
 * the first version, slot 1 + t the version of transaction t. The caller declares graph, i and j. */
#define NONE 9

byte read_[6] = NONE; /* transaction * 2 + record: the slot that it read, or overwrote */
bit wrote[6];
byte before[3]; /* EXTERNAL, SESSION: bits of the transactions that had returned when it began */
byte returned;
byte ended;
byte status[3];
bit aborted_[3];
#define COMMITTED 2

#ifdef OPACITY /* transactions that will abort count too, because they have read */
#define committed(t) 1
#else
#define committed(t) (status[t] == COMMITTED && !aborted_[t])
#endif
#define edge(a, b_) (1 << ((a) * 3 + (b_)))
#define has(a, b_) (graph & edge(a, b_))
inline check_graph()
{
    d_step {
        graph = 0;
        i = 0;
        do
        :: i == 6 -> break
        :: i < 6 ->
            if
            :: committed(i / 2) && read_[i] != NONE ->
                /* the version that the transaction read or overwrote was committed, and the writer of this version
                 * comes before it */
                if
                :: read_[i] && read_[i] - 1 != i / 2 -> assert(committed(read_[i] - 1)); graph = graph | edge(read_[i] - 1, i / 2)
                :: else
                fi;
                /* the writer of the version above comes after the transaction */
                j = i % 2;
                do
                :: j >= 6 -> break
                :: else ->
                    if
                    :: j / 2 != i / 2 && committed(j / 2) && wrote[j] && read_[j] == read_[i] -> graph = graph | edge(i / 2, j / 2)
                    :: else
                    fi;
                    j = j + 2
                od
            :: else
            fi;
            i++
        od;
#if defined EXTERNAL || defined SESSION
        i = 0;
        do
        :: i == 9 -> break
        :: i < 9 ->
            if
            :: committed(i / 3) && committed(i % 3) && (before[i % 3] & (1 << (i / 3))) -> graph = graph | edge(i / 3, i % 3)
            :: else
            fi;
            i++
        od;
#endif
        i = 0; j = 0;
        assert(!(has(0, 1) && has(1, 0)) && !(has(0, 2) && has(2, 0)) && !(has(1, 2) && has(2, 1))); /* a cycle of two */
        assert(!(has(0, 1) && has(1, 2) && has(2, 0)) && !(has(0, 2) && has(2, 1) && has(1, 0)));    /* a cycle of three */
        graph = 0
    }
}


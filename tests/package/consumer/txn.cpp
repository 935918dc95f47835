#include "txn.c"

#include "runtime.c"

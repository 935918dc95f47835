/* A hash with a spin lock for each bucket. */
#define BUCKET_WORD "bucket-lock"
#define BUCKET_ENGINE rlu_engine_bucket_lock_hash
#include "rlu/bucket_engine.h"

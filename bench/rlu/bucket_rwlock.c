/* A hash with a reader-writer spin lock for each bucket. */
#define BUCKET_SHARED
#define BUCKET_WORD "bucket-rwlock"
#define BUCKET_ENGINE rlu_engine_bucket_rwlock_hash
#include "rlu/bucket_engine.h"

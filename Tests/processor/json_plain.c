/* json_plain.c - the scan of JSON byte by byte, as for a processor without blocks, under other names. */
#include "CSystem.h"
#include "CSystemEncode.h"
#include "CSystemJSON.h"

#undef __SSE2__
#undef __ARM_NEON
#undef CSYSTEM_HAS_AVX2
#define CSYSTEM_HAS_AVX2 0
#define csystem_best_json_indexer plain_best_json_indexer
#define csystem_check_utf8 plain_check_utf8
#define csystem_json_copy plain_json_copy
#define csystem_json_index_blocks plain_json_index
#define csystem_number plain_number
#define csystem_release plain_release
#define csystem_resize plain_resize
#include "../../Sources/CSystem/json.c"

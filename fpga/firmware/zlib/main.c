/* zlib: deflates the sample, inflates it again and compares. */

#include <stdio.h>
#include <string.h>
#include <zlib.h>

extern const char sample[SAMPLE_BYTES];

static unsigned char packed[SAMPLE_BYTES + SAMPLE_BYTES / 100 + 600];
static unsigned char unpacked[SAMPLE_BYTES];

int main(void)
{
    uLongf packed_bytes = sizeof packed, unpacked_bytes = sizeof unpacked;
    int status = compress2(packed, &packed_bytes, (const Bytef *)sample, sizeof sample, 6);

    if (status != Z_OK) {
        printf("zlib: compress failed with %d\n", status);
        return 1;
    }
    status = uncompress(unpacked, &unpacked_bytes, packed, packed_bytes);
    if (status != Z_OK || unpacked_bytes != sizeof sample ||
        memcmp(unpacked, sample, sizeof sample) != 0) {
        printf("zlib: what came back differs (status %d, %lu bytes)\n", status, unpacked_bytes);
        return 1;
    }
    printf("zlib: %u bytes, packed %lu, unpacked equal\n", (unsigned)sizeof sample, packed_bytes);
    return 0;
}

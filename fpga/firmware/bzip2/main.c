/* bzip2: compresses the sample, decompresses it again and compares. */

#include <bzlib.h>
#include <stdio.h>
#include <string.h>

extern const char sample[SAMPLE_BYTES];

static char packed[SAMPLE_BYTES + SAMPLE_BYTES / 100 + 600];
static char unpacked[SAMPLE_BYTES];

/* What the library calls when it finds itself in a state that cannot be. */
void bz_internal_error(int code)
{
    printf("bzip2: internal error %d\n", code);
}

int main(void)
{
    unsigned int packed_bytes = sizeof packed, unpacked_bytes = sizeof unpacked;
    int status = BZ2_bzBuffToBuffCompress(packed, &packed_bytes, (char *)sample, sizeof sample,
                                          1, 0, 0);
    if (status != BZ_OK) {
        printf("bzip2: compress failed with %d\n", status);
        return 1;
    }
    status = BZ2_bzBuffToBuffDecompress(unpacked, &unpacked_bytes, packed, packed_bytes, 0, 0);
    if (status != BZ_OK || unpacked_bytes != sizeof sample ||
        memcmp(unpacked, sample, sizeof sample) != 0) {
        printf("bzip2: what came back differs (status %d, %u bytes)\n", status, unpacked_bytes);
        return 1;
    }
    printf("bzip2: %u bytes, packed %u, unpacked equal\n", (unsigned)sizeof sample, packed_bytes);
    return 0;
}

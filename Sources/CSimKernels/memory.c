#include "CSimKernels.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A page fault per 4,096 bytes takes longer than painting them. Therefore large blocks use huge pages of 2 MB if the
// kernel supports them (Linux, Documentation/admin-guide/mm/transhuge.rst).
enum { hugePage = 2 << 20, large = 1 << 20 };

static size_t mapped_size(int64_t byteCount) { return ((size_t)byteCount + hugePage - 1) & ~((size_t)hugePage - 1); }

void *csim_memory_allocate(int64_t byteCount) {
    if (byteCount < large) {
        // `calloc` avoids zeroing fresh pages. The block's start is stored in front of the aligned address.
        char *begin = calloc(1, (size_t)(byteCount > 0 ? byteCount : 0) + 64 + sizeof(void *));
        if (!begin) return 0;
        char *memory = (char *)(((size_t)begin + sizeof(void *) + 63) & ~(size_t)63);
        memcpy(memory - sizeof begin, &begin, sizeof begin);
        return memory;
    }
    size_t size = mapped_size(byteCount);
    char *begin = mmap(0, size + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) return 0;
    size_t before = (hugePage - (size_t)begin % hugePage) % hugePage;
    if (before) munmap(begin, before);
    if (before < hugePage) munmap(begin + before + size, hugePage - before);
    // Without huge pages, the memory is used as it is.
    (void)madvise(begin + before, size, MADV_HUGEPAGE);
    return begin + before;
}

void csim_memory_free(void *memory, int64_t byteCount) {
    if (!memory) return;
    if (byteCount >= large) {
        munmap(memory, mapped_size(byteCount));
        return;
    }
    void *begin;
    memcpy(&begin, (char *)memory - sizeof begin, sizeof begin);
    free(begin);
}

#include "CSimKernels.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A page of 4,096 bytes costs a fault each, which takes longer than to paint it; so what is large comes from whole pages of
// 2 MB where the kernel has such (Linux, Documentation/admin-guide/mm/transhuge.rst), and from common ones where not.
enum { hugePage = 2 << 20, large = 1 << 20 };

static size_t mapped_size(int64_t byteCount) { return ((size_t)byteCount + hugePage - 1) & ~((size_t)hugePage - 1); }

void *csim_memory_take(int64_t byteCount) {
    if (byteCount < large) {
        // What is fresh from the system is zero already, as this knows; where it begins is noted before what is handed out.
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
    // Where the kernel has no such pages, the memory serves as it is.
    (void)madvise(begin + before, size, MADV_HUGEPAGE);
    return begin + before;
}

void csim_memory_give(void *memory, int64_t byteCount) {
    if (!memory) return;
    if (byteCount >= large) {
        munmap(memory, mapped_size(byteCount));
        return;
    }
    void *begin;
    memcpy(&begin, (char *)memory - sizeof begin, sizeof begin);
    free(begin);
}

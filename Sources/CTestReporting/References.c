#define _GNU_SOURCE
#include "CTestReporting.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK = 1 << 20, WINDOW = 4096, MAX_MAPPINGS = 4096, MAX_SIZE = 1 << 30 };

typedef struct mapping {
    uintptr_t start, end;
    bool is_writable, is_code;
} mapping;

typedef struct {
    int memory;
    mapping *mappings;
    size_t mapping_count;
    uintptr_t block_class;
} reader;

/// Reads memory of the process that another thread can unmap meanwhile.
static bool read_memory(const reader *reader, uintptr_t address, void *buffer, size_t size) {
    return pread(reader->memory, buffer, size, (off_t)address) == (ssize_t)size;
}

static const mapping *find_mapping(const reader *reader, uintptr_t address) {
    for (size_t i = 0; i < reader->mapping_count; i++) {
        const mapping *mapping = &reader->mappings[i];
        if (address >= mapping->start && address < mapping->end) return mapping;
    }
    return NULL;
}

static void read_mappings(reader *reader) {
    FILE *file = fopen("/proc/self/maps", "re");
    if (!file) return;
    char line[1024];
    while (reader->mapping_count < MAX_MAPPINGS && fgets(line, sizeof line, file)) {
        mapping mapping = {0};
        char permissions[5] = "", path[512] = "";
        if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %511s", &mapping.start, &mapping.end, permissions, path) < 3) continue;
        bool is_special = path[0] == '[' && strcmp(path, "[heap]") != 0;
        mapping.is_writable = permissions[1] == 'w' && permissions[3] == 'p' && !is_special;
        mapping.is_code = permissions[2] == 'x';
        reader->mappings[reader->mapping_count++] = mapping;
    }
    fclose(file);
}

static bool is_in_image(uintptr_t address) {
    Dl_info image;
    return dladdr((const void *)address, &image) != 0;
}

/// Reads the name of a type from its context descriptor (see TargetTypeContextDescriptor in swift/ABI/Metadata.h).
/// Returns false if no class has the descriptor.
static bool read_class_name(const reader *reader, uintptr_t address, char *name, size_t capacity) {
    struct {
        uint32_t flags;
        int32_t parent, name;
    } descriptor;
    if (address % 4 != 0 || !is_in_image(address)) return false;
    if (!read_memory(reader, address, &descriptor, sizeof descriptor) || (descriptor.flags & 0x1f) != 16) return false;
    // The offset of the name is relative to its field.
    uintptr_t start = address + offsetof(typeof(descriptor), name) + (uintptr_t)(intptr_t)descriptor.name;
    size_t length = 0;
    do {
        if (!read_memory(reader, start + length, &name[length], 1)) return false;
        if (name[length] == 0) return length > 0;
        if (name[length] <= ' ' || name[length] == 127) return false;
    } while (++length < capacity);
    return false;
}

/// Reads the name of a Swift class from its metadata (see TargetClassMetadata). Returns false if an address is not that
/// of a class.
static bool read_class(const reader *reader, uintptr_t address, char *name, size_t capacity) {
    struct {
        uintptr_t kind, superclass;
        uint32_t flags, address_point, instance_size;
        uint16_t alignment_mask, reserved;
        uint32_t class_size, class_address_point;
        uintptr_t description;
    } metadata;
    return read_memory(reader, address, &metadata, sizeof metadata) && metadata.kind == 0
        && metadata.instance_size >= 16 && metadata.class_address_point < metadata.class_size
        && read_class_name(reader, metadata.description, name, capacity);
}

/// Whether an address is that of the metadata of a closure's captured values or of a captured variable.
static bool is_capture(const reader *reader, uintptr_t address) {
    uintptr_t kind;
    return read_memory(reader, address, &kind, sizeof kind) && (kind == 0x400 || kind == 0x500);
}

/// Finds the allocation that contains a reference, by the header that glibc's malloc stores before it and the header of
/// a Swift object or a block at its start.
static bool find_holder(const reader *reader, ctest_reference *reference) {
    uintptr_t window[WINDOW / sizeof(uintptr_t) + 2];
    uintptr_t last = reference->address & ~(uintptr_t)15;
    uintptr_t first = last > WINDOW ? last - WINDOW : 0;
    const mapping *mapping = find_mapping(reader, reference->address);
    if (!mapping) return false;
    if (first < mapping->start) first = mapping->start;
    size_t count = (last - first) / sizeof(uintptr_t) + 2;
    if (!read_memory(reader, first, window, count * sizeof(uintptr_t))) return false;
    for (uintptr_t start = last; start >= first + 16; start -= 16) {
        const uintptr_t *words = &window[(start - first) / sizeof(uintptr_t)];
        uintptr_t size = words[-1] & ~(uintptr_t)7;
        if (size < 32 || size > MAX_SIZE || size % 16 != 0 || start + size - 8 <= reference->address) continue;
        uintptr_t class = words[0];
        if (class < 4096 || class % 8 != 0) continue;
        reference->holder = ~start;
        reference->class = class;
        reference->class_name[0] = 0;
        if (class == reader->block_class) {
            reference->kind = CTEST_BLOCK;
        } else if (is_capture(reader, class)) {
            reference->kind = CTEST_CAPTURE;
        } else if (read_class(reader, class, reference->class_name, sizeof reference->class_name)) {
            reference->kind = CTEST_OBJECT;
        } else {
            continue;
        }
        return true;
    }
    return false;
}

/// Completes a reference; returns false if neither a variable nor a known kind of allocation contains it.
static bool examine(const reader *reader, uintptr_t previous, ctest_reference *reference) {
    const mapping *code = find_mapping(reader, previous);
    if (code && code->is_code) reference->function = previous;
    if (!is_in_image(reference->address)) return find_holder(reader, reference);
    reference->kind = CTEST_VARIABLE;
    reference->holder = ~reference->address;
    return true;
}

size_t ctest_find_references(
    const uintptr_t *targets, size_t target_count, ctest_reference *references, size_t capacity) {
    reader reader = {.memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)};
    size_t buffer_size = CHUNK + MAX_MAPPINGS * sizeof(mapping);
    // Outside of the heap, which is read.
    char *buffer = mmap(NULL, buffer_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t count = 0;
    if (reader.memory >= 0 && buffer != MAP_FAILED && target_count > 0) {
        uintptr_t minimum = UINTPTR_MAX, maximum = 0;
        for (size_t i = 0; i < target_count; i++) {
            if (~targets[i] < minimum) minimum = ~targets[i];
            if (~targets[i] > maximum) maximum = ~targets[i];
        }
        reader.mappings = (mapping *)(buffer + CHUNK);
        reader.block_class = (uintptr_t)dlsym(RTLD_DEFAULT, "_NSConcreteMallocBlock");
        read_mappings(&reader);
        for (size_t i = 0; i < reader.mapping_count; i++) {
            const mapping *mapping = &reader.mappings[i];
            if (!mapping->is_writable) continue;
            uintptr_t previous = 0;
            for (uintptr_t address = mapping->start; address < mapping->end; address += CHUNK) {
                size_t size = mapping->end - address < CHUNK ? mapping->end - address : CHUNK;
                if (!read_memory(&reader, address, buffer, size)) break;
                const uintptr_t *words = (const uintptr_t *)buffer;
                for (size_t word = 0; word < size / sizeof *words; previous = words[word++]) {
                    if (words[word] < minimum || words[word] > maximum) continue;
                    uintptr_t position = address + word * sizeof *words;
                    if (position >= (uintptr_t)buffer && position < (uintptr_t)buffer + buffer_size) continue;
                    for (size_t target = 0; target < target_count; target++) {
                        if (words[word] != ~targets[target] || count == capacity) continue;
                        ctest_reference reference = {.target = targets[target], .address = position};
                        if (examine(&reader, previous, &reference)) references[count++] = reference;
                    }
                }
            }
        }
    }
    if (reader.memory >= 0) close(reader.memory);
    if (buffer != MAP_FAILED) munmap(buffer, buffer_size);
    return count;
}

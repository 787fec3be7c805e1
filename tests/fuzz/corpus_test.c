/* Runs every file of the corpus through its fuzz entry point once, in every build. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_server.h"
#include "tests/support.h"

#include <dirent.h>
#include <stdlib.h>

static void run_folder(const char *name, void (*run)(const uint8_t *, size_t)) {
    char path[512];
    int files = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", SOURCE_ROOT, name);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        static uint8_t data[1 << 16];
        char file_path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file_path, sizeof file_path, "%s/%s", path, entry->d_name);
        FILE *file = fopen(file_path, "rb");
        assert_non_null(file);
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        run(data, size);
        files++;
    }
    closedir(folder);
    assert_true(files > 0);
}

UNIT_TEST(records) {
    run_folder("records", fuzz_records);
}

UNIT_TEST(options) {
    run_folder("options", fuzz_options);
}

UNIT_TEST(moves) {
    run_folder("moves", fuzz_moves);
}

UNIT_TEST(bytes) {
    run_folder("bytes", fuzz_bytes);
}

UNIT_TEST(logs) {
    run_folder("logs", fuzz_logs);
}

UNIT_TEST(words) {
    run_folder("words", fuzz_words);
}

UNIT_TEST(positions) {
    run_folder("positions", fuzz_positions);
}

UNIT_TEST(saves) {
    run_folder("saves", fuzz_saves);
}

UNIT_TEST(actions) {
    run_folder("actions", fuzz_actions);
}

UNIT_TEST(config) {
    run_folder("config", fuzz_config);
}

UNIT_TEST(wire) {
    run_folder("wire", fuzz_wire);
}

UNIT_TEST(json) {
    run_folder("json", fuzz_json);
}

UNIT_TEST(names) {
    run_folder("names", fuzz_names);
}

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

static void records(void **state) {
    run_folder("records", fuzz_records);
}

static void options(void **state) {
    run_folder("options", fuzz_options);
}

static void moves(void **state) {
    run_folder("moves", fuzz_moves);
}

static void bytes(void **state) {
    run_folder("bytes", fuzz_bytes);
}

static void logs(void **state) {
    run_folder("logs", fuzz_logs);
}

static void words(void **state) {
    run_folder("words", fuzz_words);
}

static void positions(void **state) {
    run_folder("positions", fuzz_positions);
}

static void saves(void **state) {
    run_folder("saves", fuzz_saves);
}

static void actions(void **state) {
    run_folder("actions", fuzz_actions);
}

static void config(void **state) {
    run_folder("config", fuzz_config);
}

static void wire(void **state) {
    run_folder("wire", fuzz_wire);
}

static void json(void **state) {
    run_folder("json", fuzz_json);
}

static void names(void **state) {
    run_folder("names", fuzz_names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records),   cmocka_unit_test(options), cmocka_unit_test(moves),
        cmocka_unit_test(bytes),     cmocka_unit_test(logs),    cmocka_unit_test(words),
        cmocka_unit_test(positions), cmocka_unit_test(saves),   cmocka_unit_test(actions),
        cmocka_unit_test(config),    cmocka_unit_test(wire),    cmocka_unit_test(names),
        cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* `oyster export`: a recorded game in another format. Euchre becomes EGN, Hand & Foot a saved game,
 * and both become records again; the kind of the input is recognised. Finished games of a store on
 * Redis are exported by export_finished.c. */
#include "cli/cli.h"

#include "cli/export_finished.h"
#include "cli/saves.h"
#include "formats/egn_file.h"
#include <stdio.h>
#include <stdlib.h>

enum format { UNSAID, EGN, RECORD, SAVE };

struct export {
    const char *path;
    const char *seed, *time; /* of a save */
    enum format format;
};

/* EGN is converted to EGN by way of a record, so that nothing unchecked is written. */
static char *convert_egn(struct span file, bool to_egn, struct egn_error *error) {
    if (!egn_is_json(file)) {
        if (to_egn)
            return egn_from_record(file, error);
        egn_fail(error, EGN_BAD_FILE,
                 "this is not EGN and not a saved game, so there is nothing to convert");
        return NULL;
    }
    char *record = egn_to_record(file, error);
    if (!record || !to_egn)
        return record;
    char *json = egn_from_record(span_of(record), error);
    free(record);
    return json;
}

static int export_egn(const struct export *export, struct span file) {
    struct egn_error error = {.text = "not enough memory"};
    char *text = convert_egn(file, export->format == EGN, &error);
    if (!text) {
        cli_complain("%s: %s", export->path, error.text);
        return error.fault == EGN_WRONG_MOVE ? EXIT_WRONG_MOVE : EXIT_BAD_INPUT;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

/* A save is always converted by way of its record. */
static int export_save(const struct export *export, struct span file) {
    if (!saves_recognise(file))
        return saves_print(export->path, file, export->seed, export->time);
    char *record = saves_to_record(export->path, file);
    int code = EXIT_BAD_INPUT;
    if (record && export->format == SAVE)
        code = saves_print(export->path, span_of(record), export->seed, export->time);
    else if (record)
        code = fputs(record, stdout) < 0 ? EXIT_BAD_INPUT : 0;
    free(record);
    return code;
}

static bool take_format(struct cli_arguments *arguments, struct export *export) {
    enum format format = cli_switch(arguments, "--egn")      ? EGN
                         : cli_switch(arguments, "--oyster") ? RECORD
                         : cli_switch(arguments, "--save")   ? SAVE
                                                             : UNSAID;
    if (format == UNSAID)
        return false;
    if (export->format != UNSAID && export->format != format)
        exit(cli_complain("as what? Try: oyster export --egn game.oyster"));
    export->format = format;
    return true;
}

int cli_export(struct cli_arguments *arguments) {
    struct export export = {0};
    const char *store = NULL;
    while (arguments->at < arguments->count) {
        if (take_format(arguments, &export) || cli_flag(arguments, "--seed", &export.seed) ||
            cli_flag(arguments, "--time", &export.time) ||
            cli_flag(arguments, "--finished", &store))
            continue;
        if (export.path || !cli_word(arguments, &export.path))
            return cli_unexpected(arguments);
    }
    if (store && (export.format != UNSAID || export.seed || export.time || !export.path))
        return cli_complain("try: oyster export --finished redis://HOST:PORT/0 games.db");
    if (store)
        return cli_export_finished(store, export.path);
    if (export.format == UNSAID)
        return cli_complain("as what? Try: oyster export --egn game.oyster");
    if (!export.path)
        return cli_complain("which file? Try: oyster export --egn game.oyster");
    if (export.format != SAVE && (export.seed || export.time))
        return cli_complain("--seed and --time belong to --save");
    struct span file = cli_read_file(export.path);
    bool saves = export.format == SAVE || (export.format == RECORD && saves_recognise(file));
    int code = saves ? export_save(&export, file) : export_egn(&export, file);
    free((void *)file.data);
    return code;
}

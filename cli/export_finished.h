/* Finished games out of a Redis store into an SQLite file. */
#ifndef CLI_EXPORT_FINISHED_H
#define CLI_EXPORT_FINISHED_H

int cli_export_finished(const char *store, const char *file);

#endif

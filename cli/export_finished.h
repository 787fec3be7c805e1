/* Finished games out of a Redis store into an SQLite file. */
#pragma once

int cli_export_finished(const char *store, const char *file);

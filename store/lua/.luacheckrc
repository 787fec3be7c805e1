-- What Redis gives to a script; `make test` checks them whole, as the build puts them together.
std = 'lua51'
globals = {}
read_globals = {'KEYS', 'ARGV', 'redis', 'cjson'}
max_line_length = 120
ignore = {'43.'} -- parts name their parameters as the scripts do

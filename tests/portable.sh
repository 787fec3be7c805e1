#!/usr/bin/env bash
# What only Linux has may stand in one file, which is compiled without it elsewhere (-Dio_uring=disabled). Prints each
# line that uses such a thing anywhere else, and fails if there is one.
set -u
cd "$(dirname "$0")/.."
only=server/net/batch.c
calls='getrandom|epoll_[a-z0-9]+|accept4|prctl|signalfd|eventfd|timerfd_[a-z]+|inotify_[a-z0-9]+|pipe2|dup3'
calls+='|memfd_create|sendmmsg|recvmmsg|splice|fallocate|syscall|gettid|malloc_trim|mallopt'
calls+='|io_uring_[a-z_]+|sched_[a-z]+'
names='MSG_NOSIGNAL|MSG_ZEROCOPY|SOCK_CLOEXEC|SOCK_NONBLOCK|TCP_QUICKACK|TCP_CORK|TCP_USER_TIMEOUT|O_PATH|O_TMPFILE'
names+='|CLOCK_BOOTTIME|CLOCK_MONOTONIC_COARSE|_GNU_SOURCE|program_invocation_name'
headers='sys/(random|epoll|prctl|eventfd|timerfd|signalfd|inotify|sendfile|syscall)\.h|linux/|liburing\.h'
found=$(git ls-files -co --exclude-standard '*.c' '*.h' | grep -vE '^(tests|bench)/|_test\.c$' | grep -vx "$only" |
  xargs grep -nE "\b($calls) *\(|\b($names)\b|<($headers)|\"/(proc|sys)/" /dev/null)
[ -z "$found" ] || { echo "$found" | sed 's/$/: only on Linux/'; exit 1; }
# The search itself finds what it should.
grep -qE "\b($calls) *\(" "$only" || { echo "portable.sh does not know what $only has"; exit 1; }

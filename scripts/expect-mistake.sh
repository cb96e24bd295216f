#!/bin/sh
# expect-mistake.sh WORDS COMMAND...: the command must end with status 2 and one line on stderr that holds the words.
words=$1
shift
said=$("$@" 2>&1 >/dev/null)
status=$?
printf '%s\n' "$said"
[ "$status" -eq 2 ] || { echo "exit status $status instead of 2"; exit 1; }
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || { echo "more than one line"; exit 1; }
case $said in *"$words"*) ;; *) echo "does not say: $words"; exit 1 ;; esac

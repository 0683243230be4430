# Sourced by the scripts of this folder: with --help or -h, prints the comment at the head of the script and exits.
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "${BASH_SOURCE[1]}"
    exit
fi

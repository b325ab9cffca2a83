#!/usr/bin/env bash
# Entry point of the MySQL test image; see entrypoint-common.sh.
# shellcheck disable=SC2034

server=mysqld
product=MySQL
client=mysql
prefixes=(MYSQL)

version() { printf 'Server %s' "${MYSQL_VERSION:-}"; }

# Since MySQL 9, --help no longer minds an option that the server does not know.
validate_config() { "$@" --validate-config; }

create_datadir() { from_template "$@" || "$@" --initialize-insecure --default-time-zone=SYSTEM; }

load_time_zones() { mysql_tzinfo_to_sql /usr/share/zoneinfo 2>/dev/null | session --database=mysql; }

. /usr/local/lib/whalemark-test/entrypoint-common.sh
main "$@"

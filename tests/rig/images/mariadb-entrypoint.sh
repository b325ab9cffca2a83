#!/usr/bin/env bash
# Entry point of the MariaDB test image; see entrypoint-common.sh.
# shellcheck disable=SC2034

server=mariadbd
product=MariaDB
client=mariadb
prefixes=(MARIADB MYSQL)

version() { printf 'Server %s' "${MARIADB_VERSION:-}"; }

# --help has found every bad option already.
validate_config() { :; }

# The user's options matter here already: lower_case_table_names or the page size can't be changed later.
create_datadir() {
	from_template "$@" || mariadb-install-db --datadir="$datadir" --rpm --auth-root-authentication-method=normal --skip-test-db \
		"${@:2}" --default-time-zone=SYSTEM --skip-log-bin >/dev/null
}

# Their loader comes in a package that would bring Debian's configuration along, and no test needs them.
load_time_zones() { :; }

. /usr/local/lib/whalemark-test/entrypoint-common.sh
main "$@"

# shellcheck shell=bash
# What the entry points of both server images share. They keep to the conventions of the official mysql and
# mariadb images (variables, order of events, log lines), so that Whalemark needs no special case for them.
#
# The sourcing script sets: server (default command), product (its name in the log), prefixes (of variables,
# the winning one first), client (command line client), and the functions version, validate_config,
# create_datadir and load_time_zones.

set -Eeuo pipefail
shopt -s nullglob

log() {
	local level=$1
	shift
	printf '%s [%s] [Entrypoint]: %s\n' "$(date --rfc-3339=seconds)" "$level" "$*"
}
note() { log Note "$@"; }
warn() { log Warn "$@" >&2; }
die() {
	log ERROR "$@" >&2
	exit 1
}

# setting NAME: what PREFIX_NAME says, or the file that PREFIX_NAME_FILE names (a Docker secret).
setting() {
	local prefix variable file
	for prefix in "${prefixes[@]}"; do
		variable="${prefix}_$1"
		file="${variable}_FILE"
		if [ -n "${!variable:-}" ] && [ -n "${!file:-}" ]; then
			die "Both $variable and $file are set (but are exclusive)"
		elif [ -n "${!variable:-}" ]; then
			printf '%s' "${!variable}"
			return
		elif [ -n "${!file:-}" ]; then
			printf '%s' "$(<"${!file}")"
			return
		fi
	done
}

# SQL string and identifier literals. Sessions run with an empty sql_mode, so backslash is an escape.
text() {
	local value=${1//\\/\\\\}
	printf "'%s'" "${value//\'/\\\'}"
}
name() { printf '`%s`' "${1//\`/\`\`}"; }

# The server itself says which options are good and where the data directory is: every place an option
# can come from is honoured, and a bad one stops us before anything is written.
resolve_config() {
	local errors
	errors=$(mktemp)
	if ! config=$("$@" --verbose --help 2>"$errors") || ! validate_config "$@" 2>"$errors"; then
		die "$1 failed while attempting to check config"$'\n\t'"command was: $* --verbose --help"$'\n\t'"$(<"$errors")"
	fi
	rm -f "$errors"
	datadir=$(resolved datadir)
	socket=$(resolved socket)
	[ -n "$datadir" ] || die "$1 does not say where its datadir is"
}
resolved() { awk -v key="$1" '$1 == key && !/^[ \t]/ { sub(/^[^ \t]+[ \t]+/, ""); print; exit }' <<<"$config"; }

require_password_choice() {
	if [ -z "$(setting ROOT_PASSWORD)$(setting ALLOW_EMPTY_PASSWORD)$(setting RANDOM_ROOT_PASSWORD)" ]; then
		local prefix=${prefixes[0]}
		die "Database is uninitialized and password option is not specified"$'\n\t'"You need to specify one of the following as an environment variable:"$'\n\t'"- ${prefix}_ROOT_PASSWORD"$'\n\t'"- ${prefix}_ALLOW_EMPTY_PASSWORD"$'\n\t'"- ${prefix}_RANDOM_ROOT_PASSWORD"
	fi
	if [ "$(setting USER)" = root ]; then
		die "${prefixes[0]}_USER=\"root\": this variable is for another, ordinary user. Use ${prefixes[0]}_ROOT_PASSWORD for root"
	fi
}

# Most of a first start is making the same files again, so the image has them. Fails for options that decide what is in them.
from_template() {
	local option
	for option in "${@:2}"; do
		case "${option//_/-}" in
			*lower-case-table-names* | *page-size* | *undo* | *data-file-path* | *data-home-dir* | *log-group-home* | \
				*checksum* | *encrypt* | *keyring* | *doublewrite* | *table-type* | *datadir* | *collation* | *character-set*) return 1 ;;
		esac
	done
	cp --archive /usr/local/share/whalemark-test/datadir/. "$datadir"
}

# A client session as root on the temporary server. The password, once there is one, goes through a pipe:
# arguments can be read by everyone in the process list.
session() {
	"$client" --defaults-extra-file=<(option_file) --protocol=socket --socket="$socket" --user=root --binary-mode "$@"
}
option_file() {
	local value=${session_password//\\/\\\\}
	printf '[client]\npassword="%s"\n' "${value//\"/\\\"}"
}

start_temporary_server() {
	session_password=''
	note "Starting temporary server"
	"$@" --skip-networking --default-time-zone=SYSTEM --socket="$socket" &
	temporary_server=$!
	local deadline=$((SECONDS + 300))
	until session <<<'SELECT 1' &>/dev/null; do
		kill -0 "$temporary_server" 2>/dev/null || die "Unable to start server."
		[ "$SECONDS" -lt "$deadline" ] || die "Unable to start server."
		sleep 0.1
	done
	note "Temporary server started."
}

stop_temporary_server() {
	note "Stopping temporary server"
	kill -TERM "$temporary_server"
	wait "$temporary_server" || die "Unable to shut down server."
	note "Temporary server stopped"
}

create_accounts() {
	local password host database user
	password=$(setting ROOT_PASSWORD)
	if [ -z "$password" ] && [ -n "$(setting RANDOM_ROOT_PASSWORD)" ]; then
		password=$(head -c 24 /dev/urandom | base64)
		note "GENERATED ROOT PASSWORD: $password"
	fi
	host=$(setting ROOT_HOST)
	host=${host:-%}
	database=$(setting DATABASE)
	user=$(setting USER)
	{
		echo "SET SESSION sql_mode='', sql_log_bin=0;"
		if [ "$host" != localhost ]; then
			echo "CREATE USER 'root'@$(text "$host") IDENTIFIED BY $(text "$password");"
			echo "GRANT ALL ON *.* TO 'root'@$(text "$host") WITH GRANT OPTION;"
		fi
		[ -z "$password" ] || echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $(text "$password");"
		if [ -n "$database" ]; then
			note "Creating database $database" >&2
			echo "CREATE DATABASE IF NOT EXISTS $(name "$database");"
		fi
		if [ -n "$user" ] && [ -n "$(setting PASSWORD)" ]; then
			note "Creating user $user" >&2
			echo "CREATE USER $(text "$user")@'%' IDENTIFIED BY $(text "$(setting PASSWORD)");"
			# An underscore in a GRANT stands for any character, unless it is escaped.
			[ -z "$database" ] || echo "GRANT ALL ON $(name "${database//_/\\_}").* TO $(text "$user")@'%';"
		fi
	} | session --database=mysql || die "Setting up the accounts failed"
	session_password=$password
}

# Scripts and statements that a user mounted for the first start.
run_initdb_files() {
	local file database
	database=$(setting DATABASE)
	for file in /docker-entrypoint-initdb.d/*; do
		note "running $file"
		case "$file" in
			# shellcheck disable=SC1090
			*.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
			*.sql) session ${database:+--database="$database"} <"$file" ;;
			*.sql.gz) gunzip -c "$file" | session ${database:+--database="$database"} ;;
			*) warn "ignoring $file" ;;
		esac
	done
}

# Options that make the server say something and end. They need neither data nor an account.
only_asks() {
	local argument
	for argument; do
		case "$argument" in
			-'?' | -V | --help | --print-defaults | --version) return 0 ;;
		esac
	done
	return 1
}

main() {
	if [ "$#" -eq 0 ] || [ "${1:0:1}" = - ]; then set -- "$server" "$@"; fi
	if ! [[ $1 =~ ^(mysqld|mariadbd)$ ]] || only_asks "$@"; then exec "$@"; fi

	# As process 1 we would get no signal that we don't ask for, and "docker stop" would have to wait.
	trap 'exit 143' TERM INT
	note "Entrypoint script for $product $(version) started."
	resolve_config "$@"
	if [ "$(id -u)" = 0 ]; then
		mkdir -p "$datadir"
		find "$datadir" ! -user mysql -exec chown --no-dereference mysql:mysql {} +
		note "Switching to dedicated user 'mysql'"
		export HOME=/var/lib/mysql
		exec setpriv --reuid=mysql --regid=mysql --init-groups -- "${BASH_SOURCE[-1]}" "$@"
	fi
	mkdir -p "$datadir"
	if [ ! -d "$datadir/mysql" ]; then
		require_password_choice
		note "Initializing database files"
		create_datadir "$@"
		note "Database files initialized"
		start_temporary_server "$@"
		[ -n "$(setting INITDB_SKIP_TZINFO)" ] || load_time_zones
		create_accounts
		run_initdb_files
		stop_temporary_server
		echo
		note "$product init process done. Ready for start up."
		echo
	fi
	exec "$@"
}

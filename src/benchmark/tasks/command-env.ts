import type { LoadTarget } from '../load/load-client.ts';

/** Variables of Laravel, Symfony, Rails, Django, Prisma, WordPress, Spring, and the images. */
export function commandEnv({ host, port, user, password, database }: LoadTarget): Record<string, string> {
  const path = `${host}:${port}/${database}`;
  const url = `mysql://${user}:${encodeURIComponent(password)}@${path}`;
  const jdbc = `jdbc:mysql://${path}`;
  return {
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_USERNAME: user,
    DB_PASSWORD: password,
    DB_DATABASE: database,
    DB_NAME: database,
    DB_URL: url,
    DATABASE_URL: url,
    MYSQL_HOST: host,
    MYSQL_PORT: String(port),
    MYSQL_TCP_PORT: String(port),
    MYSQL_USER: user,
    MYSQL_PASSWORD: password,
    MYSQL_PWD: password,
    MYSQL_DATABASE: database,
    MYSQL_URL: url,
    SPRING_DATASOURCE_URL: jdbc,
    SPRING_DATASOURCE_USERNAME: user,
    SPRING_DATASOURCE_PASSWORD: password,
    JDBC_DATABASE_URL: `${jdbc}?user=${user}&password=${encodeURIComponent(password)}`,
    JDBC_DATABASE_USERNAME: user,
    JDBC_DATABASE_PASSWORD: password,
    // A socket, or an address of mysql_config_editor, would lead elsewhere.
    DB_SOCKET: '',
    MYSQL_UNIX_PORT: '',
    MYSQL_TEST_LOGIN_FILE: '',
  };
}

export const COMMAND_VARIABLES = Object.entries(
  commandEnv({ host: 'h', port: 1, user: 'u', password: 'p', database: 'd' }),
).flatMap(([name, value]) => (value === '' ? [] : [name]));

const ADDRESS = /^(?:jdbc:)?(?:mysql|mysqli|mysql2|mysqlx|mysqls|mariadb)(?:\+\w+)?:/i;
const NAMED_SO =
  /(?:^|_)(?:DB|DATABASE|DATASOURCE|MYSQL|MARIADB|SQL|JDBC)\w*?(?:URL|URI|DSN|HOST|SERVER|SOCKET|ADDR|ADDRESS|CONNECTION|CONNECTION_?STRING)$/i;

/** Names, never values, of variables that may lead elsewhere. */
export function otherAddresses(env: NodeJS.ProcessEnv): string[] {
  const isOurs = new Set([...COMMAND_VARIABLES, 'DB_SOCKET', 'MYSQL_UNIX_PORT']);
  return Object.entries(env)
    .filter(
      ([name, value = '']) =>
        !isOurs.has(name) && value !== '' && (ADDRESS.test(value) || NAMED_SO.test(name)),
    )
    .map(([name]) => name)
    .sort();
}

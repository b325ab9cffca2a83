import * as z from 'zod';
import { readYaml, yamlValue } from '../preset/preset-yaml.ts';
import { baseOf, folderOf } from './file-names.ts';
import type { WrittenFields } from './docker-options.ts';
import { servicesOfWorkflow } from './workflow.ts';
import { whatItIs } from './other-file.ts';

export interface ComposeFile {
  name: string;
  services: Record<string, WrittenFields>;
  volumes?: WrittenFields;
}

/** Undefined: no services. `over`: texts that DDEV merges over its own. */
export function composeFileOf(
  path: string,
  text: string,
  over: readonly string[] = [],
): ComposeFile | undefined {
  const file = path.replaceAll('\\', '/');
  const isDdev = /(?:^|\/)\.ddev\/config\.yaml$/.test(file);
  const kind = isDdev ? 'ddev' : whatItIs(file, text);
  if (kind !== 'ddev' && kind !== 'workflow' && kind !== 'wpEnv') return undefined;
  const content = contentOf(text);
  const project = folderOf(isDdev ? folderOf(file) : file);
  if (kind === 'ddev') return ofDdev([content, ...over.map(contentOf)], baseOf(project));
  if (kind === 'wpEnv') return ofWpEnv(content, baseOf(project));
  const services = servicesOfWorkflow(content);
  return services && escaped({ name: projectName(baseOf(file)), services });
}

/** YAML, or JSON with comments; undefined: neither. */
export function contentOf(text: string): unknown {
  const isJson = /^\s*(?:\{|\/[/*])/.test(text);
  const plain = isJson ? text.replace(COMMENT, (found) => (found.startsWith('"') ? found : ' ')) : text;
  const { document, problems } = readYaml(plain.replaceAll('\t', ' '));
  const read = problems.length === 0 ? yamlValue(document) : undefined;
  return read?.ok === true ? read.value : undefined;
}

const COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g;

function projectName(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/\.\w+$/, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'project'
  );
}

const ddevSchema = z.object({
  name: z.string().optional(),
  database: z.object({ type: z.string(), version: z.coerce.string() }).partial().optional(),
  mariadb_version: z.coerce.string().optional(),
  mysql_version: z.coerce.string().optional(),
  dbimage: z.string().optional(),
  host_db_port: z.coerce.string().optional(),
  omit_containers: z.array(z.string()).optional(),
  override_config: z.boolean().optional(),
});

/** Source: DDEV documentation, "Config Options"; `mergeAdditionalConfigIntoApp`. */
function ofDdev([first, ...over]: unknown[], folder: string): ComposeFile | undefined {
  const { data: own } = ddevSchema.safeParse(first ?? {});
  if (own === undefined) return undefined;
  const data = over.reduce<typeof own>((below, content) => {
    const { data: above = {} } = ddevSchema.safeParse(content ?? {});
    const database = { ...below.database, ...above.database };
    const omitted = [...(below.omit_containers ?? []), ...(above.omit_containers ?? [])];
    return { ...below, ...above, database, ...(above.override_config ? {} : { omit_containers: omitted }) };
  }, own);
  const { name = projectName(folder), database, mariadb_version, mysql_version, dbimage } = data;
  const { type, version } = {
    ...(mysql_version === undefined
      ? { type: 'mariadb', version: mariadb_version ?? '11.8' }
      : { type: 'mysql', version: mysql_version }),
    ...database,
  };
  const usual = type === 'postgres' ? `postgres:${version}` : `ddev/ddev-dbserver-${type}-${version}`;
  const isOmitted = data.omit_containers?.includes('db') === true;
  const db = {
    image: dbimage ?? usual,
    environment: { [type === 'mariadb' ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD']: 'root' },
    ports: [data.host_db_port === undefined ? '127.0.0.1::3306' : `127.0.0.1:${data.host_db_port}:3306`],
    volumes: ['database:/var/lib/mysql', '.:/mnt/ddev_config'],
  };
  const web = { image: 'ddev/ddev-webserver', ...(isOmitted ? {} : { depends_on: ['db'] }) };
  return escaped({
    name: projectName(`ddev-${name}`),
    services: isOmitted ? { web } : { db, web },
    volumes: { database: { name: `${name}-mariadb` } },
  });
}

const wpEnvSchema = z.object({
  mysqlPort: z.coerce.string().optional(),
  testsEnvironment: z.boolean().optional(),
  env: z
    .record(z.string(), z.object({ mysqlPort: z.coerce.string().optional() }).optional().catch({}))
    .optional()
    .catch({}),
});

/** Source: wp-env's documentation, and `build-docker-compose-config.js`. */
function ofWpEnv(content: unknown, folder: string): ComposeFile | undefined {
  const { data } = wpEnvSchema.safeParse(content ?? {});
  if (data === undefined) return undefined;
  const { env = {}, testsEnvironment } = data;
  const server = (port = '', volume: string): WrittenFields => ({
    image: 'mariadb:lts',
    ports: [port === '' ? '3306' : `${port}:3306`],
    volumes: [`${volume}:/var/lib/mysql`],
  });
  const app = (name: string): WrittenFields => ({ image: 'wordpress', depends_on: [name] });
  const tests = {
    'tests-mysql': server(env['tests']?.mysqlPort, 'mysql-test'),
    'tests-wordpress': app('tests-mysql'),
  };
  return escaped({
    name: projectName(`wp-env-${folder}`),
    services: {
      mysql: server(env['development']?.mysqlPort ?? data.mysqlPort, 'mysql'),
      wordpress: app('mysql'),
      ...(testsEnvironment === false ? {} : tests),
    },
    volumes: { mysql: {}, ...(testsEnvironment === false ? {} : { 'mysql-test': {} }) },
  });
}

/** Only Compose files have variables. */
function escaped<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('$', () => '$$')) as T;
}

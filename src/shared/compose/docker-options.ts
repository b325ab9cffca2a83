import { shellWords } from './command.ts';

export type WrittenFields = Record<string, unknown>;

const FLAGS = new Set(
  `detach d interactive i tty t rm init privileged read-only no-healthcheck oom-kill-disable publish-all P quiet q`.split(
    ' ',
  ),
);

/** Options that can be given once, with their Compose fields. */
const ONE: Readonly<Record<string, string>> = {
  ...{ name: 'container_name', hostname: 'hostname', h: 'hostname', platform: 'platform' },
  ...{ user: 'user', u: 'user', entrypoint: 'entrypoint', 'shm-size': 'shm_size', memory: 'mem_limit' },
  ...{ m: 'mem_limit', cpus: 'cpus', 'cpu-quota': 'cpu_quota', 'cpu-period': 'cpu_period' },
  ...{ 'cpuset-cpus': 'cpuset' },
};
const MANY: Readonly<Record<string, string>> = {
  ...{ tmpfs: 'tmpfs', volume: 'volumes', v: 'volumes', publish: 'ports', p: 'ports' },
  ...{ env: 'environment', e: 'environment' },
};

/** Options of `docker create`. */
export function fieldsOfOptions(text: string): WrittenFields {
  const words = shellWords(text);
  const fields: WrittenFields = {};
  const add = (key: string, value: unknown): void => {
    const known = fields[key];
    fields[key] = [...(Array.isArray(known) ? (known as unknown[]) : []), value];
  };
  for (let at = 0; at < words.length; at += 1) {
    const [, dashes = '', name = '', attached] =
      /^(--?)([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (name === '' || (FLAGS.has(name) && attached === undefined)) continue;
    if (dashes === '-' && name.length > 1 && !Object.hasOwn(MANY, name)) continue;
    if (attached === undefined) at += 1;
    const value = attached ?? words[at] ?? '';
    if (Object.hasOwn(ONE, name)) fields[ONE[name] ?? ''] = value;
    else if (Object.hasOwn(MANY, name)) add(MANY[name] ?? '', value);
    else if (name === 'mount') add('volumes', mountOf(value));
    else if (name === 'network' && value === 'host') fields['network_mode'] = value;
    else if (name === 'health-cmd') fields['healthcheck'] = { test: value };
  }
  return fields;
}

/** `type=volume,source=data,target=/var/lib/mysql` */
function mountOf(text: string): WrittenFields {
  const given = Object.fromEntries(text.split(',').map((part) => part.split(/=(.*)/s)));
  const source: unknown = given['source'] ?? given['src'];
  return {
    type: (given['type'] as unknown) ?? 'volume',
    target: (given['target'] as unknown) ?? given['destination'] ?? given['dst'],
    ...(source === undefined ? {} : { source }),
    ...(given['tmpfs-size'] === undefined ? {} : { tmpfs: { size: given['tmpfs-size'] as unknown } }),
  };
}

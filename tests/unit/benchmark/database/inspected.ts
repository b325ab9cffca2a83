import type { ListedContainer } from '../../../../src/benchmark/runtime/container-runtime.ts';
import {
  examinedSchema,
  type ExaminedContainer,
} from '../../../../src/benchmark/runtime/examined-container.ts';

export const CONTAINER_ID = 'c0'.repeat(32);
export const IMAGE_ID = `sha256:${'ab'.repeat(32)}`;
/** A password that no answer of Whalemark may repeat. */
export const SECRET = 'canary-Pa55';

type Fields = Record<string, unknown>;

/** An engine's answer for a container of mysql:8.4, in the shape of Docker 28; `fields` replaces parts. */
export function inspectAnswer({
  Config = {},
  HostConfig = {},
  ...fields
}: { Config?: Fields; HostConfig?: Fields } & Fields = {}): Fields {
  return {
    Id: CONTAINER_ID,
    Name: '/shop-db-1',
    Image: IMAGE_ID,
    Path: 'docker-entrypoint.sh',
    Args: ['mysqld'],
    State: { Status: 'running', Running: true, Pid: 4711, ExitCode: 0 },
    Config: {
      Image: 'mysql:8.4',
      Env: [`MYSQL_ROOT_PASSWORD=${SECRET}`, 'MYSQL_VERSION=8.4.6-1.el9', 'PATH=/usr/bin'],
      Cmd: ['mysqld'],
      Entrypoint: ['docker-entrypoint.sh'],
      Labels: {},
      Volumes: { '/var/lib/mysql': {} },
      ...Config,
    },
    HostConfig: {
      NetworkMode: 'shop_default',
      PortBindings: {},
      NanoCpus: 0,
      CpuQuota: 0,
      CpuPeriod: 0,
      CpusetCpus: '',
      Memory: 0,
      ...HostConfig,
    },
    Mounts: [],
    NetworkSettings: { Ports: {}, Networks: { shop_default: { IPAddress: '172.18.0.2' } } },
    ...fields,
  };
}

export function examined(fields: Parameters<typeof inspectAnswer>[0] = {}): ExaminedContainer {
  return examinedSchema.parse(inspectAnswer(fields));
}

export function listed(name: string, fields: Partial<ListedContainer> = {}): ListedContainer {
  return {
    id: `id-of-${name}`,
    name,
    labels: {},
    imageId: IMAGE_ID,
    running: true,
    networkMode: 'shop_default',
    networks: ['shop_default'],
    ...fields,
  };
}

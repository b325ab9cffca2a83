import type Dockerode from 'dockerode';
import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import type { Limits } from '../../../shared/model/server-spec.ts';
import type { ContainerSpec, MountSpec } from '../specs.ts';
import { NAME_LABEL } from '../labels.ts';

export type EngineTraits = Pick<Passport['runtime'], 'selinux' | 'noNewPrivileges'> &
  Partial<Pick<Passport['runtime'], 'vm' | 'remote'>>;

/** An empty `hostPort` means any free one. */
export function containerBody(
  spec: ContainerSpec,
  engine: EngineTraits,
  hostPort = '',
): Dockerode.ContainerCreateOptions {
  const { env = {}, mounts = [], publish = [], network, limits, stdin = false } = spec;
  const ports = publish.map((port) => `${port}/tcp`);
  const relabelled = mounts.filter((mount) => mount.type === 'bind').filter(() => engine.selinux);
  const custom = network !== undefined && network !== 'host' && !network.startsWith('container:');
  return {
    Image: spec.image,
    Labels: { ...spec.labels, [NAME_LABEL]: spec.name },
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(spec.entrypoint === undefined ? {} : { Entrypoint: spec.entrypoint }),
    ...(spec.command === undefined ? {} : { Cmd: spec.command }),
    ...(spec.user === undefined ? {} : { User: spec.user }),
    ...(spec.workingDirectory === undefined ? {} : { WorkingDir: spec.workingDirectory }),
    ...(spec.stopTimeoutSeconds === undefined ? {} : { StopTimeout: spec.stopTimeoutSeconds }),
    // `StdinOnce` ends the program's input with Whalemark's.
    ...(stdin ? { OpenStdin: true, StdinOnce: true, AttachStdin: true } : {}),
    AttachStdout: stdin,
    AttachStderr: stdin,
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      ...hardenedContainer(engine),
      ...(limits === undefined ? {} : containerLimits(limits)),
      Binds: relabelled.map(relabelledBind),
      Mounts: mounts.filter((mount) => mount.type !== 'bind' || !engine.selinux).map(mountBody),
      ...(spec.volumesFrom === undefined ? {} : { VolumesFrom: spec.volumesFrom }),
      PortBindings: Object.fromEntries(
        ports.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: hostPort }]]),
      ),
      ...(network === undefined ? {} : { NetworkMode: network }),
    },
    ...(custom && spec.networkAliases !== undefined
      ? { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: spec.networkAliases } } } }
      : {}),
  };
}

function containerLimits({ cpus, memoryMiB }: Limits): { NanoCpus?: number; Memory?: number } {
  return {
    ...(cpus === null ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
    ...(memoryMiB === null ? {} : { Memory: Math.round(memoryMiB * 2 ** 20) }),
  };
}

export function serviceLimits(limits: Limits | undefined) {
  const { NanoCpus, Memory } = limits === undefined ? {} : containerLimits(limits);
  return { NanoCPUs: NanoCpus, MemoryBytes: Memory };
}

/** Only this form relabels (`:Z`, for SELinux); paths must not contain colons. */
function relabelledBind({
  source,
  target,
  readOnly,
}: Extract<MountSpec, { type: 'bind' | 'volume' }>): string {
  if (source.includes(':') || target.includes(':')) {
    throw new BenchmarkError('BIND_REFUSED', {
      path: source,
      reason: msg('folder.colon'),
    });
  }
  return `${source}:${target}:Z${readOnly === true ? ',ro' : ''}`;
}

function mountBody(mount: MountSpec): Dockerode.MountSettings {
  const { target } = mount;
  if (mount.type === 'anonymous-volume') {
    return {
      Type: 'volume',
      Source: '',
      Target: target,
      VolumeOptions: {
        NoCopy: false,
        Labels: mount.labels,
        DriverConfig: { Name: 'local', Options: {} },
      },
    };
  }
  const { type, source, readOnly = false } = mount;
  const body: Dockerode.MountSettings = { Type: type, Source: source, Target: target, ReadOnly: readOnly };
  if (type === 'volume' && mount.noCopy === true) {
    body.VolumeOptions = { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } };
  }
  return body;
}

/** Entry points change owners of the data directory, read it, and change the user (gosu, setpriv, --user). */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
/** Threads count, too. */
const PIDS = 4096;
/** Any engine can read this driver's logs. Two files let following survive rotation. */
const LOG_DRIVER = 'json-file';
const LOG_OPTIONS = { 'max-size': '32m', 'max-file': '2' };

function hardenedContainer({ noNewPrivileges = true }: EngineTraits) {
  return {
    CapDrop: ['ALL'],
    CapAdd: CAPABILITIES,
    PidsLimit: PIDS,
    LogConfig: { Type: LOG_DRIVER, Config: LOG_OPTIONS },
    ...(noNewPrivileges ? { SecurityOpt: ['no-new-privileges'] } : {}),
  };
}

/** Engines ignore what their API lacks (1.41; privileges 1.44). */
export function hardenedTask({ noNewPrivileges = true }: EngineTraits) {
  return {
    container: {
      CapabilityDrop: ['ALL'],
      CapabilityAdd: CAPABILITIES,
      ...(noNewPrivileges ? { Privileges: { NoNewPrivileges: true } } : {}),
    },
    task: {
      Resources: { Limits: { Pids: PIDS } },
      LogDriver: { Name: LOG_DRIVER, Options: LOG_OPTIONS },
    },
  };
}

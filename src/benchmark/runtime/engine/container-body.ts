import type Dockerode from 'dockerode';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import type { ContainerSpec, MountSpec } from '../container-runtime.ts';
import { hardenedContainer } from './hardening.ts';

/** SELinux needs bind mounts relabelled (`:Z`), or the container may not even read them. */
export type EngineTraits = Pick<Passport['runtime'], 'selinux' | 'noNewPrivileges'>;

/** A container as the engine's API wants it described. */
export function containerBody(spec: ContainerSpec, engine: EngineTraits): Dockerode.ContainerCreateOptions {
  const { env = {}, mounts = [], publish = [], network, stdin = false } = spec;
  const ports = publish.map((port) => `${port}/tcp`);
  const relabelled = mounts.filter((mount) => mount.type === 'bind').filter(() => engine.selinux);
  const custom = network !== undefined && network !== 'host' && !network.startsWith('container:');
  return {
    Image: spec.image,
    Labels: spec.labels,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(spec.entrypoint === undefined ? {} : { Entrypoint: spec.entrypoint }),
    ...(spec.command === undefined ? {} : { Cmd: spec.command }),
    ...(spec.user === undefined ? {} : { User: spec.user }),
    ...(spec.stopTimeoutSeconds === undefined ? {} : { StopTimeout: spec.stopTimeoutSeconds }),
    // `StdinOnce`: when we are gone, the program sees the end of its input and can end too.
    ...(stdin ? { OpenStdin: true, StdinOnce: true, AttachStdin: true } : {}),
    AttachStdout: stdin,
    AttachStderr: stdin,
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      ...hardenedContainer(engine),
      Binds: relabelled.map(relabelledBind),
      Mounts: mounts.filter((mount) => mount.type !== 'bind' || !engine.selinux).map(mountBody),
      ...(spec.volumesFrom === undefined ? {} : { VolumesFrom: spec.volumesFrom }),
      PortBindings: Object.fromEntries(ports.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: '' }]])),
      ...(network === undefined ? {} : { NetworkMode: network }),
    },
    ...(custom && spec.networkAliases !== undefined
      ? { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: spec.networkAliases } } } }
      : {}),
  };
}

/** The only form in which the API relabels for SELinux: text with colons between, so that no path may hold one. */
function relabelledBind({
  source,
  target,
  readOnly,
}: Extract<MountSpec, { type: 'bind' | 'volume' }>): string {
  if (source.includes(':') || target.includes(':')) {
    throw new BenchmarkError('BIND_REFUSED', {
      path: source,
      reason: 'The path holds a colon, which Docker takes for the end of it.',
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

import { spawnSync } from 'node:child_process';
import { ownOwner } from '../../src/benchmark/owners/owner.ts';
import { createLabels, IMAGE_LABEL, NAME_LABEL, OWNER_LABEL } from '../../src/benchmark/runtime/labels.ts';
import type { FaultEngine } from './engine.ts';

/** Resources of another person on the same engine. */
export interface Bystander {
  /** Differences from how these resources were made; empty: none. */
  differences(): Promise<string[]>;
  remove(): Promise<void>;
}

/**
 * Two running containers with a network, each with a file in a volume. Network and volume have all labels of
 * Whalemark's, as copies of a crashed run's. The second container has an anonymous volume and an image with
 * these labels, as one that was built from the client image or is a commit of a crashed run's container.
 */
export async function bystander({ docker, baseImage }: FaultEngine): Promise<Bystander> {
  const name = `bystander-${process.pid}`;
  const heir = `${name}:heir`;
  const labels = Object.entries(inheritedLabels()).map((label) => label.join('='));
  const copied = labels.flatMap((label) => ['--label', label]);
  await docker('network', 'create', ...copied, name);
  await docker('volume', 'create', ...copied, name);
  const source = await docker('create', baseImage);
  await docker('commit', ...labels.flatMap((label) => ['--change', `LABEL ${label}`]), source, heir);
  await docker('rm', source);
  const start = async (own: string, volume: string, image: string): Promise<string> =>
    (
      await docker(
        ...['run', '--detach', '--name', own, '--network', name, '--volume', volume],
        // An engine that is restarted starts it again.
        ...['--restart', 'always', '--stop-timeout', '0', image],
        ...['sh', '-c', '[ -f /data/mine ] || date +%s%N > /data/mine; exec sleep 86400'],
      )
    ).slice(0, 64);
  const containers = [
    await start(name, `${name}:/data`, baseImage),
    await start(`${name}-heir`, '/data', heir),
  ];
  const state = '{{.State.Running}} {{.State.Paused}}';
  const of = (what: (container: string) => string[]): Promise<string> =>
    Promise.all(containers.map((one) => docker(...what(one)).catch(String))).then(String);
  const look = async (): Promise<Record<string, string>> => ({
    running: await of((one) => ['inspect', '--format', state, one]),
    network: await docker('network', 'inspect', '--format', '{{.Id}}', name).catch(String),
    volume: await docker('volume', 'inspect', '--format', '{{.CreatedAt}}', name).catch(String),
    file: await of((one) => ['exec', one, 'sh', '-c', 'cat /data/mine || { sleep 1; cat /data/mine; }']),
  });
  const before = await look();
  return {
    differences: async () => {
      const now = await look();
      return Object.keys(before).flatMap((key) =>
        before[key] === now[key] ? [] : [`${key} of somebody else: ${before[key]} → ${now[key]}`],
      );
    },
    remove: async () => {
      await docker('rm', '--force', '--volumes', ...containers);
      await docker('rmi', heir);
      await docker('volume', 'rm', name);
      await docker('network', 'rm', name);
    },
  };
}

function inheritedLabels(): Record<string, string> {
  const [machine = '', , startTime = ''] = ownOwner().split('.');
  return {
    ...createLabels({ runId: '20260601-093000-a1b2', appVersion: '0', role: 'server' }),
    [OWNER_LABEL]: `${machine}.${spawnSync('true').pid}.${startTime}`,
    [NAME_LABEL]: 'whalemark-20260601-093000-a1b2-server',
    [IMAGE_LABEL]: 'whalemark-client:000000000000',
  };
}

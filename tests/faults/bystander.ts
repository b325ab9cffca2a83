import type { FaultEngine } from './engine.ts';

/** Another person's things on the same engine, without any label of Whalemark's. */
export interface Bystander {
  /** What differs from how they were made; nothing when all is as it was. */
  differences(): Promise<string[]>;
  remove(): Promise<void>;
}

/** A running container with a volume and its own network, and a file in the volume. */
export async function bystander({ docker, baseImage }: FaultEngine): Promise<Bystander> {
  const name = `bystander-${process.pid}`;
  await docker('network', 'create', name);
  await docker('volume', 'create', name);
  const container = await docker(
    ...['run', '--detach', '--name', name, '--network', name, '--volume', `${name}:/data`],
    // An engine that is restarted starts it again.
    ...['--restart', 'always', '--stop-timeout', '0', baseImage],
    ...['sh', '-c', '[ -f /data/mine ] || date +%s%N > /data/mine; exec sleep 86400'],
  );
  const look = async (): Promise<Record<string, string>> => ({
    container: container.slice(0, 64),
    running: await docker('inspect', '--format', '{{.State.Running}} {{.State.Paused}}', container).catch(
      String,
    ),
    network: await docker('network', 'inspect', '--format', '{{.Id}}', name).catch(String),
    volume: await docker('volume', 'inspect', '--format', '{{.CreatedAt}}', name).catch(String),
    file: await docker('exec', container, 'cat', '/data/mine').catch(String),
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
      await docker('rm', '--force', container);
      await docker('volume', 'rm', name);
      await docker('network', 'rm', name);
    },
  };
}

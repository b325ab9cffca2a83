import { execFileSync } from 'node:child_process';

const LABEL = 'label=io.whalemark.owner';

/** Names of containers, volumes and networks that carry our label, from Docker's own command line. */
export function ownResources(): string[] {
  const list = (args: string[]): string[] =>
    execFileSync('docker', args, { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  return [
    ...list(['ps', '--all', '--filter', LABEL, '--format', 'container {{.Names}}']),
    ...list(['volume', 'ls', '--filter', LABEL, '--format', 'volume {{.Name}}']),
    ...list(['network', 'ls', '--filter', LABEL, '--format', 'network {{.Name}}']),
  ];
}

/** Version of the engine, as Docker's own command line tells it. */
export function engineVersion(): string {
  return execFileSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' }).trim();
}

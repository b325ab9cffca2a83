import type { Repository } from './problem.ts';

const ENGINES: [RegExp, string][] = [
  [/^docker-desktop/, 'Docker Desktop'],
  [/^docker/, 'Docker Engine on Linux'],
  [/^orbstack/, 'OrbStack'],
  [/^colima/, 'Colima'],
  [/^rancher/, 'Rancher Desktop'],
  [/^lima/, 'Lima'],
  [/^podman/, 'Podman'],
  [/^vm-docker/, 'Docker Engine in a VM with shared folders'],
];

const FIXTURE = /^tests\/fixtures\/runtimes\/([^/]+)\/machine\.json$/;

/** Each engine with its recorded versions, and its numbers of recorded and constructed fixtures. */
export function testedEngines({ files, read }: Repository): string[][] {
  const fixtures = [...files].sort().flatMap((file) => {
    const [, name] = FIXTURE.exec(file) ?? [];
    if (name === undefined) return [];
    const { source } = JSON.parse(read(file)) as { source: 'recorded' | 'constructed' };
    const { Version } = JSON.parse(read(file.replace('/machine.json', '/version.json'))) as {
      Version: string;
    };
    const engine = ENGINES.find(([pattern]) => pattern.test(name))?.[1] ?? name;
    return [{ engine, source, version: /\d+\.\d+/.exec(Version)?.[0] ?? Version }];
  });
  const engines = [...ENGINES.map(([, engine]) => engine), ...fixtures.map(({ engine }) => engine)];
  return [...new Set(engines)].map((engine) => {
    const own = fixtures.filter((one) => one.engine === engine);
    const recorded = own.filter(({ source }) => source === 'recorded');
    const versions = [...new Set(recorded.map(({ version }) => version))];
    return [
      engine,
      versions.join(', ') || 'none',
      String(recorded.length),
      String(own.length - recorded.length),
    ];
  });
}

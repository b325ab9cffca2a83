import type { Passport } from '../../src/shared/model/passport.ts';
import type { NamedRun } from '../../src/shared/words/compare-wording.ts';
import { DEMO_FACTORS, demoOutcomes, demoState } from './builders.ts';

type Runtime = Partial<Passport['runtime']>;

const MAC: Runtime = {
  ...{ kind: 'docker-desktop', name: 'Docker Desktop 4.67.0', engineVersion: '28.2.2', vm: true },
  ...{ operatingSystem: 'Docker Desktop', kernel: '6.10.14-linuxkit', architecture: 'aarch64' },
  ...{ fileSharing: 'virtiofs', virtualMachine: 'apple', hostNetworking: false },
};
const DARWIN = { platform: 'darwin', release: '24.5.0', architecture: 'arm64' } as const;

/** The same plan on five machines: `kim`'s bind mount is slow, and only its file sharing is gRPC FUSE. */
export function teamResults(): NamedRun[] {
  return [
    machine('ana', 1.8, { ...MAC, cpus: 12 }, { ...DARWIN, cpuModel: 'Apple M3 Pro', cpus: 12 }),
    machine('ben', 1.25, MAC, { ...DARWIN, cpuModel: 'Apple M1' }),
    machine('ci', 0.9, {}, { cpuModel: 'AMD EPYC 7763 64-Core Processor', cpus: 4 }),
    machine('kim', 1.4, { ...MAC, fileSharing: 'grpcfuse' }, { ...DARWIN, cpuModel: 'Apple M2' }, 0.35),
    machine('lee', 1.3, MAC, { ...DARWIN, cpuModel: 'Apple M2' }),
  ];
}

function machine(
  name: string,
  speed: number,
  runtime: Runtime,
  host: Partial<Passport['host']>,
  bind = 0.9,
): NamedRun {
  const seed = name.charCodeAt(0);
  const factors = Object.entries(DEMO_FACTORS).map(([id, one]): [string, number] => [
    id,
    one * speed * (id.startsWith('bind-mount') ? bind : 1),
  ]);
  const outcomes = demoOutcomes(Object.fromEntries(factors), { seed, noise: 0.02 });
  const run = demoState({ outcomes, runtime, runId: `20260601-0930${seed % 60}-${name}` });
  const [{ passport }] = run.plan.engines;
  Object.assign(passport.host, host);
  return { name, run };
}

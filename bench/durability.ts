// Whether readings of the flush meter agree: of the host's disk, and of a named volume and `tmpfs` in a container.
// `--readings N`.
import { parseArgs } from 'node:util';
import { ownHost } from '../src/benchmark/host/host-source.ts';
import { createLabels } from '../src/benchmark/runtime/labels.ts';
import { probeFlush, timeFlushes } from '../src/benchmark/servers/storage/flush-meter.ts';
import type { FlushTimes } from '../src/shared/model/events.ts';
import { realRuntime, temporaryHome } from '../tests/integration/helpers/bench.ts';
import { describeMachine } from './lib/machine.ts';
import { median } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

/** Of the largest median and the smallest. */
const REACH = 1.2;

const { values } = parseArgs({ options: { readings: { type: 'string', default: '10' } } });
const image = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4';

const { containers, volumes } = await realRuntime();
const home = await temporaryHome();
const labels = createLabels({ runId: 'bench-durability', appVersion: '0.0.0-bench', role: 'helper' });
const name = `whalemark-bench-durability-${process.pid}`;
await volumes.create(name, labels);
const container = await containers.create({
  ...{
    name,
    image,
    labels,
    user: '0:0',
    network: 'none',
    entrypoint: ['sleep', '3600'],
    stopTimeoutSeconds: 0,
  },
  mounts: [{ type: 'volume', source: name, target: '/volume' }],
});
try {
  await containers.start(container);
  const inside = (datadir: string) => () =>
    probeFlush((command) => containers.exec(container, command), datadir);
  const places: [string, () => Promise<FlushTimes | undefined>][] = [
    ['host', () => timeFlushes(home.dataDir, ownHost())],
    ['named volume', inside('/volume')],
    ['tmpfs', inside('/dev/shm')],
  ];
  const readings = new Map(places.map(([place]) => [place, [] as FlushTimes[]]));
  for (let reading = 0; reading < Number(values.readings); reading++) {
    for (const [place, read] of places) {
      const flush = await read();
      if (flush !== undefined) readings.get(place)?.push(flush);
    }
  }
  console.log(`${describeMachine()}\n`);
  printTable([
    ['place', 'readings', 'median, µs', 'p99, µs', 'flushes', 'commands', 'largest ÷ smallest median'],
    ...[...readings].map(([place, all]) => {
      const of = (pick: (one: FlushTimes) => number): number[] => all.map(pick);
      const medians = of(({ medianUs }) => medianUs);
      const spread = Math.max(...medians) / Math.min(...medians);
      return [
        ...[place, String(all.length)],
        ...[medians, of(({ p99Us }) => p99Us)].map((some) => median(some).toFixed(0)),
        String(median(of(({ flushes }) => flushes))),
        String(median(of(({ disk }) => disk?.commands ?? NaN))),
        // Nothing that is compared takes a few microseconds.
        place === 'tmpfs' ? '' : `${spread.toFixed(2)} ${spread <= REACH ? '✓' : '✗'}`,
      ];
    }),
  ]);
} finally {
  await containers.remove(container);
  await volumes.remove(name);
  await home.remove();
}

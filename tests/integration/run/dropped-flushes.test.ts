import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const IMAGE = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4';
const TAG = `whalemark-test/no-flush:${process.pid}`;
/** Flushes of the C library that do nothing, like a disk that confirms before it writes. */
const NO_FLUSH = `int fsync(int fd) { return 0; }
int fdatasync(int fd) { return 0; }
int sync_file_range(int fd, long from, long bytes, unsigned flags) { return 0; }
int msync(void *at, unsigned long bytes, int flags) { return 0; }
`;
const bench = realBench();

beforeAll(async () => {
  const [source, library] = ['no-flush.c', 'no-flush.so'].map((file) => join(bench.dataDir, file));
  if (source === undefined || library === undefined) throw new Error('no files');
  writeFileSync(source, NO_FLUSH);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source]);
  await bench.runtime.images.build(
    {
      tag: TAG,
      files: {
        Dockerfile: `FROM ${IMAGE}\nCOPY library /library\nRUN base64 -d /library > /no-flush.so\nENV LD_PRELOAD=/no-flush.so\n`,
        library: readFileSync(library).toString('base64'),
      },
      labels: {},
      buildArgs: {},
    },
    () => undefined,
    new AbortController().signal,
  );
});
afterAll(async () => {
  const image = await bench.runtime.images.inspect(TAG);
  if (image !== undefined) await bench.runtime.images.remove(image.id);
});

it.each([
  { image: TAG, isDropped: true },
  { image: IMAGE, isDropped: false },
])(
  'says whether flushes stop before the disk: $isDropped',
  { tags: ['full'] },
  async ({ image, isDropped }) => {
    const plan = await smallPlan(bench.runtime, {
      server: { image },
      workload: { kind: 'oltp_write_only', tables: 2, tableSize: 1000 },
      grid: { storages: ['named-volume'], paths: ['published-port'] },
      baseline: 'named-volume.published-port',
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 2 },
    });
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    const [scenario] = analyze(state).scenarios;
    expect(scenario?.flags.includes('not-durable')).toBe(isDropped);
    expect(scenario?.durability?.verdict === 'cache').toBe(isDropped);
    expect(scenario?.durability?.loses.includes('power-cut')).toBe(isDropped);
  },
);

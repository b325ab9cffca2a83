import { expect, it } from 'vitest';
import { program } from './support/engine.ts';
import { summarySchema, trialsOf } from './support/summary.ts';

const { whalemark } = program();

it('times the start of a server on each storage type, also with its data in the image', async () => {
  const { exitCode, stdout, stderr } = await whalemark([
    ...['time', 'ready', '--json', '--image', 'mariadb:11.8', '--set', 'aaCheck=false'],
    ...['--set', 'workload={"tables":1,"tableSize":1000}'],
    ...['--set', 'schedule={"rounds":1,"warmupSeconds":0,"durationSeconds":6}'],
  ]);
  expect(exitCode, stderr).toBe(0);
  const summary = summarySchema.parse(JSON.parse(stdout));
  const starts = ['empty', 'no-time-zones', 'empty-tmpfs', 'filled', 'image-layer'];
  expect(trialsOf(summary)).toEqual(Object.fromEntries(starts.map((id) => [`${id}.published-port`, [1, 0]])));
});

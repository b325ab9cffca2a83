import { describe, expect, it } from 'vitest';
import { datasetKey, type DatasetIngredients } from '../../../../../src/benchmark/servers/dataset/dataset.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';

const INGREDIENTS: DatasetIngredients = {
  image: { id: 'sha256:1', flavor: 'mysql', version: '9.7.4' },
  options: ['--innodb-buffer-pool-size=64M', '--innodb-redo-log-capacity=64M', '--skip-log-bin'],
  workload: workloadSchema.parse({ kind: 'oltp_read_write' }),
  seed: 1,
};
const key = (change: Partial<DatasetIngredients>): string => datasetKey({ ...INGREDIENTS, ...change });
const withWorkload = (fields: Record<string, unknown>): string =>
  key({ workload: workloadSchema.parse({ kind: 'oltp_read_write', ...fields }) });

describe('the key of a dataset', () => {
  const same = key({});

  it.each([
    ['another image', key({ image: { ...INGREDIENTS.image, id: 'sha256:2' } })],
    ['another redo log', key({ options: ['--innodb-redo-log-capacity=128M', '--skip-log-bin'] })],
    ["an option of the user's", key({ options: [...INGREDIENTS.options, '--innodb-page-size=8K'] })],
    ['more tables', withWorkload({ tables: 5 })],
    ['more rows', withWorkload({ tableSize: 26_000 })],
    ['another distribution of k', withWorkload({ distribution: 'special' })],
    ['TPC-C', withWorkload({ kind: 'tpcc' })],
    ['other rows', key({ seed: 2 })],
  ])('changes with %s', (_, other) => {
    expect(other).toMatch(/^[0-9a-f]{32}$/);
    expect(other).not.toBe(same);
  });

  const [POOL = '', REDO = '', NO_BINLOG = ''] = INGREDIENTS.options;
  const LARGER = ['--innodb-buffer-pool-size=128M', '--loose-innodb_buffer_pool_chunk_size=128M'];
  const FLUSHING = ['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=1'];
  it.each([
    ['other statements on the same rows', withWorkload({ kind: 'oltp_point_select' })],
    ['statements without transactions', withWorkload({ skipTransactions: true })],
    ['another buffer pool', key({ options: [...LARGER, REDO, NO_BINLOG] })],
    ['more connections', key({ options: [...INGREDIENTS.options, '--max-connections=94'] })],
    ['another flushing', key({ options: [...INGREDIENTS.options, ...FLUSHING] })],
    [
      'a binary log, which is off while loading',
      key({ options: [POOL, REDO, '--log-bin=binlog', NO_BINLOG] }),
    ],
  ])('stays with %s', (_, other) => {
    expect(other).toBe(same);
  });
});

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

  it.each([
    ['other statements on the same rows', withWorkload({ kind: 'oltp_point_select' })],
    ['statements without transactions', withWorkload({ skipTransactions: true })],
  ])('stays with %s', (_, other) => {
    expect(other).toBe(same);
  });

  const [POOL = '', REDO = '', NO_BINLOG = ''] = INGREDIENTS.options;
  it.each([
    [
      'another buffer pool',
      '--innodb-buffer-pool-size=128M',
      '--loose-innodb_buffer_pool_chunk_size=128M',
      REDO,
    ],
    ['more connections', POOL, REDO, NO_BINLOG, '--max-connections=94'],
    ['another flushing', POOL, REDO, NO_BINLOG, '--innodb-flush-log-at-trx-commit=2', '--sync-binlog=1'],
    ['a binary log, which is off while loading', POOL, REDO, '--log-bin=binlog'],
  ])('stays with %s', (_, ...options) => {
    expect(key({ options: [...options, NO_BINLOG] })).toBe(same);
  });
});

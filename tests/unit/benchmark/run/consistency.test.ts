import { describe, expect, it } from 'vitest';
import { checkConsistency, lastTrials } from '../../../../src/benchmark/run/consistency.ts';
import type { RunContext, UntimedEvent } from '../../../../src/benchmark/run/context.ts';
import type { LoadClient } from '../../../../src/benchmark/load/load-client.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';
import { makePlan } from '../../plan-builder.ts';

const TARGET = { host: 'h', port: 1, user: 'u', password: 'p', database: 'd' };

async function eventsOf(kind: string, query: LoadClient['query']): Promise<UntimedEvent[]> {
  const events: UntimedEvent[] = [];
  const plan = { ...makePlan(), workload: workloadSchema.parse({ kind }) };
  const context = {
    plan,
    emit: (event: UntimedEvent) => events.push(event),
    signal: new AbortController().signal,
  } as unknown as RunContext;
  await checkConsistency(context, 's', { query } as LoadClient, TARGET);
  return events;
}

describe('the consistency of the data', () => {
  it('is checked after the last trial of each server', () => {
    const plan = makePlan({ rounds: 2 });
    const last = lastTrials(plan);
    const servers = new Set(plan.scenarios.map(({ serverId }) => serverId));
    expect(last.size).toBe(servers.size);
    expect([...last].every((id) => id.startsWith('r2.'))).toBe(true);
  });

  it('is nothing to ask of a workload without conditions', async () => {
    expect(await eventsOf('oltp_read_write', () => Promise.reject(new Error('asked')))).toEqual([]);
  });

  it('is told when it holds', async () => {
    const events = await eventsOf('tpcc', () => Promise.resolve([[0, null]]));
    expect(events.map(({ type }) => type)).toEqual(['consistency']);
    expect(events[0]).toMatchObject({ consistency: { serverId: 's', broken: [] } });
  });

  it('is a notice that names the conditions when it is broken', async () => {
    const events = await eventsOf('tpcc', () => Promise.resolve([[3, 'w 1']]));
    expect(events.map(({ type }) => type)).toEqual(['consistency', 'notice']);
    expect(JSON.stringify(events[1])).toContain('DATA_INCONSISTENT');
  });

  it('is said to be unknown when the server can not be asked', async () => {
    const events = await eventsOf('tpcc', () =>
      Promise.reject(new BenchmarkError('QUERY_FAILED', { reason: 'gone' })),
    );
    expect(events).toMatchObject([{ type: 'notice', notice: { code: 'CONSISTENCY_UNKNOWN' } }]);
  });
});

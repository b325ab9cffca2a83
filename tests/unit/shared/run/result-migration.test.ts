import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runEventSchema } from '../../../../src/shared/model/events.ts';
import { migratedEvent, migratedResult } from '../../../../src/shared/run/result-migration.ts';
import { makeEvents } from '../../builders.ts';

const VERSION_1 = fileURLToPath(new URL('../../../fixtures/results/version-1.json', import.meta.url));

/** The plan of a real run of format 1, as its journal began with it. */
async function oldPlan(): Promise<Record<string, unknown>> {
  const file = JSON.parse(await readFile(VERSION_1, 'utf8')) as { state: { plan: Record<string, unknown> } };
  return file.state.plan;
}

describe('migration of format 1', () => {
  it('makes a journal’s first event readable', async () => {
    const event = { type: 'run-started', at: 1, runId: 'r', appVersion: '0.1.0', plan: await oldPlan() };
    expect(runEventSchema.safeParse(event).success).toBe(false);
    const parsed = runEventSchema.parse(migratedEvent(event));
    expect(parsed.type === 'run-started' && parsed.plan.setups[0]?.id).toBe('default');
  });

  it('calls a quick look short', async () => {
    const plan = { ...(await oldPlan()), mode: 'quick' };
    expect(migratedEvent({ type: 'run-started', plan })).toMatchObject({ plan: { mode: 'short' } });
  });

  it('changes nothing in place', async () => {
    const text = await readFile(VERSION_1, 'utf8');
    const file: unknown = JSON.parse(text);
    migratedResult(file);
    expect(JSON.stringify(file)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('leaves the present format, other events and everything else alone', () => {
    for (const event of makeEvents({ rounds: 1 })) expect(migratedEvent(event)).toEqual(event);
    for (const odd of [undefined, null, 7, 'x', [], {}, { version: 1 }, { version: 1, state: [] }]) {
      expect(migratedResult(odd)).toBe(odd);
      expect(migratedEvent(odd)).toBe(odd);
    }
    const broken = { version: 1, state: { plan: { image: {}, scenarios: 'none' } } };
    expect(migratedResult(broken)).toMatchObject({ version: 2, state: { plan: { scenarios: 'none' } } });
    const torn = { type: 'run-started', plan: { image: 1, scenarios: [null] } };
    expect(migratedEvent(torn)).toMatchObject({ plan: { scenarios: [null] } });
  });
});

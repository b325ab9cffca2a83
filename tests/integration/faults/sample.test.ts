import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCell } from '../../../bench/faults/cell.ts';
import { sharedEngine, type FaultEngine } from '../../../bench/faults/engine.ts';
import { FAULTS } from '../../../bench/faults/matrix.ts';
import type { Phase } from '../../../bench/faults/phases.ts';

/** Cells of the fault matrix (`npm run test:faults`) that any engine can bear, with others' containers on it. */
describe('a sample of the fault matrix', { tags: ['full'] }, () => {
  let engine: FaultEngine;
  let datasets: string;
  beforeAll(async () => {
    engine = await sharedEngine();
    datasets = process.env['WHALEMARK_DATASETS'] ?? (await mkdtemp(join(tmpdir(), 'whalemark-datasets-')));
  });
  afterAll(async () => {
    if (process.env['WHALEMARK_DATASETS'] === undefined) await rm(datasets, { recursive: true, force: true });
  });

  async function cell(name: string, phase: Phase) {
    const fault = FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`no fault ${name}`);
    return runCell(fault, phase, engine, datasets);
  }

  it('kill -9 while measuring: kept, shown, swept and continued', async () => {
    expect(await cell('app-killed', 'measure')).toMatchObject({
      ...{ status: 'passed', remarks: [], outcome: 'failed', codes: ['CORE_LOST'] },
      trials: { after: 4, planned: 4 },
    });
  });

  it('a server killed while measuring costs its trial, and no other', async () => {
    expect(await cell('server-killed', 'measure')).toMatchObject({
      ...{ status: 'passed', remarks: [], outcome: 'completed', codes: ['SERVER_EXITED'] },
      trials: { kept: 3, after: 3, planned: 4 },
    });
  });

  it('a server paused while measuring costs its trial, and nobody waits for it', async () => {
    expect(await cell('server-paused', 'measure')).toMatchObject({
      ...{ status: 'passed', remarks: [], outcome: 'completed', codes: ['CONTAINER_PAUSED'] },
      trials: { kept: 3, after: 3, planned: 4 },
    });
  });

  it.each([
    ['stop pressed twice while loading; the next start removes what is left', 'stop-twice', 'load'],
    ['its terminal closed, and all is cleaned up', 'terminal-closed', 'clone'],
    ['Ctrl+C that ends the reader of its output, too', 'pipe-broken', 'measure'],
  ] as const)('is stopped by %s', async (_, name, phase) => {
    expect(await cell(name, phase)).toMatchObject({ status: 'passed', remarks: [], outcome: 'stopped' });
  });
});

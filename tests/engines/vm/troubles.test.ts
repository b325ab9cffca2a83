import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCell } from '../../../bench/faults/cell.ts';
import type { FaultEngine } from '../../../bench/faults/engine.ts';
import { VM_FAULTS } from '../../../bench/faults/vm-faults.ts';
import { vmEngine } from '../../../bench/faults/vm-engine.ts';

let engine: FaultEngine;
let datasets: string;
beforeAll(async () => {
  engine = await vmEngine();
  datasets = await mkdtemp(join(tmpdir(), 'whalemark-datasets-'));
});
afterAll(() => rm(datasets, { recursive: true, force: true }));

/** All of them: `npm run test:faults -- --vm`. */
it.each([
  ['it is killed', 'vm-killed', 'measure', 'ENGINE_LOST', 1],
  ['its forwarder is restarted', 'vm-forwarder-restarted', 'measure', 'INTERRUPTED', 1],
  ['its disk is full', 'vm-disk-full', 'clone', 'STORAGE_FULL', 0],
] as const)(
  'keeps what was measured in a machine, and leaves nothing there, when %s',
  async (_, name, phase, code, kept) => {
    const fault = VM_FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`no fault ${name}`);
    const { status, remarks, codes, trials } = await runCell(fault, phase, engine, datasets);
    expect({ status, remarks }).toEqual({ status: 'passed', remarks: [] });
    expect(codes).toContain(code);
    expect(trials?.kept).toBe(kept);
  },
);

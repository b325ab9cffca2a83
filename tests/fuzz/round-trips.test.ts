import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { readResultHere } from '../../src/benchmark/store/stored-result.ts';
import { DISTRIBUTIONS, OLTP_KINDS } from '../../src/shared/model/names.ts';
import { presetScenarios } from '../../src/shared/model/preset.ts';
import { parseResult, serializeResult } from '../../src/benchmark/store/result-file.ts';
import { CONTAINER_PATHS, PLAIN_STORAGES } from '../../src/shared/model/cells.ts';
import { editedText } from '../../src/renderer/wizard/preset-text.ts';
import { makeState } from '../unit/builders.ts';
import type { Verdict } from './support/figures.ts';
import { fuzz } from './support/fuzz.ts';
import { sharedFolder } from '../helpers/folders.ts';

/** Files that Whalemark writes are read again as they were. */

const directory = sharedFolder();
const words = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const schedule = fc.record({
  rounds: fc.integer({ min: 1, max: 100 }),
  warmupSeconds: fc.double({ min: 0, max: 3600, noNaN: true }),
  durationSeconds: fc.double({ min: 1, max: 86_400, noNaN: true }),
});

const presets = fc
  .record({
    id: fc.stringMatching(/^[a-z0-9][a-z0-9.~-]{0,20}$/),
    name: words,
    question: words,
    storages: fc.uniqueArray(fc.constantFrom(...PLAIN_STORAGES), { minLength: 1 }),
    paths: fc.uniqueArray(fc.constantFrom(...CONTAINER_PATHS), { minLength: 1 }),
    workload: fc.record({
      kind: fc.constantFrom(...OLTP_KINDS),
      tables: fc.integer({ min: 1, max: 64 }),
      tableSize: fc.integer({ min: 100, max: 100_000_000 }),
      distribution: fc.constantFrom(...DISTRIBUTIONS),
      skipTransactions: fc.boolean(),
    }),
    connections: fc.integer({ min: 1, max: 512 }),
    options: fc.array(fc.stringMatching(/^--[a-z][a-z0-9_.-]{0,12}(=[ -~]{0,12})?$/), { maxLength: 3 }),
    bufferPool: fc.oneof(fc.integer({ min: 5, max: 1e6 }), fc.constantFrom('10%', '0.5 %', 'in-memory')),
    schedule,
    small: fc.option(
      fc.record({
        scale: fc.constantFrom(0.1, 1),
        warmupSeconds: fc.nat(60),
        durationSeconds: fc.constant(4),
      }),
      {
        nil: undefined,
      },
    ),
    seed: fc.integer({ min: 0, max: 0xffff_ffff }),
  })
  .map(({ storages, paths, options, bufferPool, small, ...rest }) => ({
    whalemark: 1,
    ...rest,
    server: { options, settings: { bufferPool } },
    grid: { storages, paths },
    baseline: `${storages[0] ?? ''}.${paths[0] ?? ''}`,
    ...(small === undefined ? {} : { small }),
  }));

fuzz({
  name: 'preset-round-trip',
  share: 0.2,
  only: 'accepted',
  cases: presets,
  judge: (value) => {
    const preset = parsePreset(stringify(value), 'mine.yaml');
    expect(preset).toMatchObject(value);
    // An exported preset is read as the same, and so is one that the wizard changes and changes back.
    const exported = stringify(preset, { lineWidth: 0 });
    expect(parsePreset(exported, 'again.yaml')).toEqual(preset);
    const changed = editedText(exported, [{ path: ['connections'], value: 3 }]);
    const back = editedText(changed, [{ path: ['connections'], value: preset.connections }]);
    expect(parsePreset(back, 'back.yaml')).toEqual(preset);
    expect(presetScenarios(preset)).toHaveLength(value.grid.storages.length * value.grid.paths.length);
    return 'accepted';
  },
});

fuzz({
  name: 'result-round-trip',
  only: 'accepted',
  share: 0.2,
  cases: fc.record({
    runId: words,
    question: words,
    rates: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 2, maxLength: 2 }),
    log: fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
    at: fc.integer({ min: 0, max: 8.64e15 }),
  }),
  judge: async ({ runId, question, rates, log, at }): Promise<Verdict> => {
    const made = makeState({
      runId,
      scenarios: [{ storage: 'named-volume', path: 'published-port' }],
      rounds: 2,
      aaCheck: false,
      outcomes: { 'named-volume.published-port': rates },
      preset: { id: 'mine', name: 'Mine', question },
    });
    const state = {
      ...made,
      startedAt: at,
      servers: { ...made.servers, __proto: { facts: null, log } },
    };
    expect(parseResult(serializeResult(state), 'mine')).toEqual(state);
    const path = join(directory, 'result.json');
    await writeFile(path, serializeResult(state));
    expect(await readResultHere(path, 'mine')).toEqual(state);
    return 'accepted';
  },
});

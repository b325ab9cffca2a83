import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { readAnnotations } from '../../src/benchmark/store/history-store.ts';
import { EQUAL_SERVERS, expectedApart } from '../../src/benchmark/store/equal-servers.ts';
import { loadListed, recentRunOf, saveListed } from '../../src/benchmark/store/listed-run.ts';
import { SettingsStore } from '../../src/benchmark/installation/settings-store.ts';
import { annotationsSchema, MOST, recentRunSchema } from '../../src/shared/model/history-entry.ts';
import { planSchema } from '../../src/shared/model/plan.ts';
import { settingsSchema } from '../../src/shared/model/settings.ts';
import { MOST_APART } from '../../src/shared/statistics/components.ts';
import { resultTexts, runStates } from './support/bases.ts';
import { byteMutants } from './support/byte-mutants.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { makePlan } from '../unit/builders.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { valueMutants } from './support/value-mutants.ts';

/** Files of the data folder, which users, other versions, full disks, and other programs may change. */

const directory = sharedFolder();

function jsonBytes(values: readonly unknown[]): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 3, arbitrary: valueMutants(values).map((value) => Buffer.from(written(value))) },
    { weight: 1, arbitrary: byteMutants(values.map((value) => Buffer.from(JSON.stringify(value)))) },
  );
}

const settings = {
  language: 'zh-CN',
  theme: 'dark',
  runtimeId: 'context:default',
  keepDatasets: false,
  notify: false,
};

fuzz({
  name: 'settings',
  cases: jsonBytes([settings]),
  judge: (bytes) => {
    writeFileSync(join(directory, 'settings.json'), bytes);
    const store = new SettingsStore(directory);
    // The app starts with valid settings, whatever the file has, and reports the values that it left out.
    expect(settingsSchema.parse(store.current)).toEqual(store.current);
    for (const problem of store.problems)
      if (problem.kind === 'field') expect(Object.keys(settings)).toContain(problem.field);
    return store.problems.length === 0 ? 'accepted' : 'refused';
  },
});

const annotations = {
  format: 'whalemark-annotations',
  version: 1,
  title: 'Mine',
  note: 'n\nn',
  shared: true,
};

fuzz({
  name: 'annotations',
  cases: jsonBytes([annotations]),
  judge: async (bytes) => {
    const path = join(directory, 'annotations.json');
    writeFileSync(path, bytes);
    const read = await readAnnotations(path);
    expect(annotationsSchema.parse(read)).toEqual(read);
    expect(read.note.length).toBeLessThanOrEqual(MOST.note);
    return read.note.length > 0 ? 'accepted' : 'refused';
  },
});

const contrast = { mean: 0.01, variance: 0.0001, degrees: 14, share: 1 };

fuzz({
  name: 'equal-servers',
  cases: jsonBytes([[[contrast, { ...contrast, mean: -0.02 }], [contrast]]]),
  judge: async (bytes) => {
    writeFileSync(join(directory, EQUAL_SERVERS), bytes);
    const apart = await expectedApart(makePlan().engines, directory);
    if (apart === undefined) return 'refused';
    // A plan expects something possible, whatever the file has.
    expect(planSchema.shape.serversApart.parse(apart)).toEqual(apart);
    expect(apart.variance).toBeGreaterThanOrEqual(0);
    expect(apart.variance).toBeLessThanOrEqual(MOST_APART);
    return 'accepted';
  },
});

const [listedPath, resultPath] = [join(directory, 'listed.json'), join(directory, 'result.json')];
const [state] = runStates;
const [resultText] = resultTexts;
const recent = state === undefined ? null : recentRunOf(state);
if (recent === null || resultText === undefined) throw new Error('no example of a result');
writeFileSync(resultPath, resultText);
await saveListed(listedPath, resultPath, recent);
const listed = readFileSync(listedPath);

fuzz({
  name: 'listed-run',
  cases: byteMutants([listed]),
  judge: async (bytes) => {
    writeFileSync(listedPath, bytes);
    const run = await loadListed(listedPath, resultPath);
    if (run === undefined) return 'refused';
    recentRunSchema.parse(run);
    return 'accepted';
  },
});

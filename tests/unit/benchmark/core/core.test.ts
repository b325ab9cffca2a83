import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCore } from '../../../../src/benchmark/core/core.ts';
import { RunStore } from '../../../../src/benchmark/runs/run-store.ts';
import { demoState } from '../../builders.ts';

const RUN = '20260601-093000-a1b2';

let dataDir: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'whalemark-core-'));
  const runs = new RunStore(dataDir);
  await (await runs.startJournal(RUN, 'nobody')).close();
  await runs.saveResult(demoState({ runId: RUN }));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function core(isRestart: boolean) {
  const paths = {
    dataDir,
    datasetDir: null,
    assetsDir: '/a',
    presetsDir: '/p',
    clientFile: '/c',
    appVersion: '0',
  };
  return createCore({ ...paths, isRestart, emit: () => undefined });
}

it('what was deleted can be had back as long as the app runs, also after its core was started again', async () => {
  await core(false)['history:delete']({ id: RUN });
  const restarted = core(true);
  expect(await restarted['history:list']({})).toEqual([]);
  await restarted['history:restore']({ id: RUN });
  expect(await restarted['history:list']({})).toHaveLength(1);

  await restarted['history:delete']({ id: RUN });
  const next = core(false);
  await next['history:list']({});
  await expect(next['history:restore']({ id: RUN })).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
});

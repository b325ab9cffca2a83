import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readResultFile,
  readResultsElsewhere,
  readResultView,
} from '../../../src/benchmark/runs/result-process.ts';
import { readResultHere } from '../../../src/benchmark/runs/stored-result.ts';
import { viewOf } from '../../../src/shared/run/run-view.ts';
import { realBench } from '../helpers/bench.ts';
import { saying } from '../../helpers/saying.ts';

const SAMPLE = 'tests/fixtures/results/sample-result.json';

describe('the process that reads results', () => {
  const home = realBench();
  readResultsElsewhere({ clientFile: 'out/main/client.cjs' });

  it('gives what reading here gives', async () => {
    const state = await readResultHere(SAMPLE, 'sample');
    expect(await readResultFile(SAMPLE, 'sample')).toEqual(state);
    expect(await readResultView(SAMPLE, 'sample')).toEqual(viewOf(state));
  });

  it('passes on what is wrong, also with 10 MB of faults', async () => {
    const path = join(home.dataDir, 'hostile.json');
    const whole = await readFile(SAMPLE, 'utf8');
    await writeFile(path, whole.replace(/"trials":\s*\[/, `"trials":[${'0,'.repeat(5e6)}`));
    await expect(readResultFile(path, 'hostile')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
      params: { name: 'hostile', reason: saying('state.trials.0: ') },
    });
    await expect(readResultFile(join(home.dataDir, 'missing'), 'x')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
    });
  });
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeOut } from '../../../../src/cli/run/out-folder.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { sampleState } from '../../builders.ts';

it('an export that fails names the commands that write what is missing', async () => {
  const directory = newFolder();
  // A folder with the file's name can't be written to, like any other place that refuses.
  mkdirSync(join(directory, 'summary.csv'));
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const state = sampleState();
  await expect(writeOut({ directory, overwrite: true }, state)).rejects.toMatchObject({
    code: 'EXPORT_FAILED',
  });
  const text = said.mock.calls.join('');
  said.mockRestore();
  expect(text).toContain(`whalemark report ${state.runId} csv --output summary.csv`);
  expect(text).toContain(`whalemark report ${state.runId} md --output report.md`);
  expect(text).not.toContain('result.json');
});

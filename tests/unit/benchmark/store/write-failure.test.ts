import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTranslator, messageText } from '../../../../src/shared/words/i18n.ts';
import { englishOf } from '../../../../src/shared/message.ts';
import { writingAt } from '../../../../src/benchmark/files/failures.ts';
import { OpenedResults } from '../../../../src/benchmark/store/opened-results.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import { outFolder } from '../../../../src/cli/run/out-folder.ts';
import { BenchmarkError, toErrorData } from '../../../../src/shared/errors.ts';
import { saying } from '../../../helpers/saying.ts';
import { newFolder } from '../../../helpers/folders.ts';

let home: string;
beforeEach(() => (home = newFolder()));

const refused = async (work: Promise<unknown>) =>
  toErrorData(
    await work.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );

describe('a place that can’t be written', () => {
  it('is named by runs and dropped results, with the reason', async () => {
    // A file where a folder should be: refused to every user, root as well.
    await writeFile(join(home, 'runs'), '');
    const runs = await refused(new RunStore(home).start('20260101-000000-abcd', 'x'));
    const dropped = await refused(new OpenedResults(join(home, 'runs')).openText('{}', 'x'));
    for (const { code, message } of [runs, dropped]) {
      expect(code).toBe('DATA_FOLDER_UNWRITABLE');
      expect(message).toContain(home);
      expect(message).toMatch(/\((?:ENOTDIR|EEXIST)\)$/);
    }
  });

  it('is said of --output before the run', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    expect(await refused(outFolder({ output: file }))).toMatchObject({
      code: 'EXPORT_FAILED',
      params: { reason: saying('EEXIST') },
    });
    expect((await refused(outFolder({ output: join(file, 'output') }))).params['reason']).toEqual(
      saying('ENOTDIR'),
    );
    const output = join(home, 'new', 'output');
    await outFolder({ output });
    for (const name of ['card.png', 'report.md']) await writeFile(join(output, name), 'mine');
    expect(await refused(outFolder({ output }))).toMatchObject({
      code: 'EXPORT_EXISTS',
      params: { files: `${join(output, 'card.png')}, ${join(output, 'report.md')}` },
    });
    await outFolder({ output, force: true });
  });

  it.each(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'])(
    'has words in both languages: %s',
    async (code) => {
      const thrown = Object.assign(new Error(`${code}: raw`), { code, syscall: 'open' });
      const { params } = await refused(
        writingAt('/data', 'DATA_FOLDER_UNWRITABLE', () => Promise.reject(thrown)),
      );
      const reason = params['reason'] ?? '';
      expect(englishOf(reason)).toMatch(/^\/data: .+ \(/);
      expect(englishOf(reason)).not.toContain('raw');
      expect(messageText(reason, createTranslator('zh-CN'))).toMatch(/\p{Script=Han}/u);
    },
  );

  it('leaves other errors as they are', async () => {
    for (const error of [new BenchmarkError('BUSY'), new Error('a mistake of ours')]) {
      await expect(writingAt('/data', 'EXPORT_FAILED', () => Promise.reject(error))).rejects.toBe(error);
    }
  });
});

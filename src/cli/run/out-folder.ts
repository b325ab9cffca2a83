import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writingAt } from '../../benchmark/files/failures.ts';
import { checkTargets, writeExport, type Overwriting } from '../../benchmark/report/export.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { ExportFormat } from '../../shared/model/sharing.ts';
import { whalemark } from '../installation.ts';
import { note } from '../text/terminal.ts';

const OUT_FILES: [ExportFormat, string][] = [
  ['json', 'result.json'],
  ['csv', 'summary.csv'],
  ['csv-per-second', 'per-second.csv'],
  ['png', 'card.png'],
  ['html', 'report.html'],
  ['md', 'report.md'],
];

export interface OutOptions {
  output?: string | undefined;
  force?: boolean | undefined;
}

export interface OutFolder extends Overwriting {
  directory: string;
}

export async function outFolder({
  output: directory,
  force: overwrite = false,
}: OutOptions): Promise<OutFolder | undefined> {
  if (directory === undefined) return undefined;
  await writingAt(directory, 'EXPORT_FAILED', async () => {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  });
  const files = OUT_FILES.map(([, name]) => join(directory, name));
  await checkTargets(files, { overwrite });
  return { directory, overwrite };
}

export async function writeOut({ directory, ...overwriting }: OutFolder, state: RunState): Promise<string> {
  for (const [index, [format, name]] of OUT_FILES.entries()) {
    try {
      await writeExport(join(directory, name), await whalemark.export(format, state), overwriting);
    } catch (error) {
      const missing = OUT_FILES.slice(index).map(
        ([other, file]) => `  whalemark report ${state.runId} ${other} --output ${file}`,
      );
      note(['To write what is missing, in another folder:', ...missing].join('\n'));
      throw error;
    }
  }
  return join(directory, 'result.json');
}

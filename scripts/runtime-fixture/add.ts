import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { foundIn, machineReportSchema } from '../../src/benchmark/diagnostics/machine-report.ts';
import { jsonOf } from '../../src/benchmark/files/json.ts';

const MOST_BYTES = 1024 * 1024;

/** Rejects, and writes nothing, if the report can't be read or the fixture exists. */
export async function addRuntimeFixture(file: string, name: string, folder: string): Promise<string> {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new Error(`“${name}” is no name: use a-z, 0-9, and dashes.`);
  if ((await stat(file)).size > MOST_BYTES) throw new Error(`${file}: more than ${MOST_BYTES} bytes.`);
  const report = machineReportSchema.safeParse(jsonOf(await readFile(file, 'utf8')));
  if (!report.success) throw new Error(`${file} is no report:\n${z.prettifyError(report.error)}`);
  if (!report.data.isReproducible)
    throw new Error(`${file}: what was removed decides how it is classified; build the fixture by hand.`);
  const found = await foundIn(report.data);
  const fixture = join(folder, name);
  await mkdir(fixture);
  await writeFile(join(fixture, 'report.json'), `${JSON.stringify({ ...report.data, found }, null, 2)}\n`);
  return fixture;
}

import { join } from 'node:path';
import process from 'node:process';
import { messageOf } from '../../src/shared/errors.ts';
import { addRuntimeFixture } from './add.ts';

const [report = '', name = ''] = process.argv.slice(2);
try {
  const folder = await addRuntimeFixture(report, name, join('tests', 'fixtures', 'runtimes'));
  process.stdout.write(`${folder}: compare it with the report's issue, then run npm test -- unit.\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}

// `npm run test:breaks -- [WORD…]`: breaks the product on purpose, one line at a time in a copy, and lists
// the first test that fails for each. Exits with 1 if a break is not caught, or if its line is gone. Words
// choose breaks by file.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { optionsOf } from './setup/options.mjs';
import { BREAKS } from './test/breaks.mjs';

const usage = 'npm run test:breaks -- [PART OF A PATH]…';
const { positionals: words } = optionsOf(usage, {}, true);
const chosen = BREAKS.filter(([file]) => words.length === 0 || words.some((word) => file.includes(word)));
if (chosen.length === 0) {
  console.error(`No break is in a file like ${words.join(', ')}.`);
  process.exit(2);
}
const copy = mkdtempSync(join(tmpdir(), 'whalemark-breaks-'));
let failed = 0;
try {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const name of String(listed)
    .split('\0')
    .filter((one) => existsSync(one) && one !== '')) {
    cpSync(name, join(copy, name));
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const [file, line, broken, tests = testsBeside(file)] of chosen) {
    const caught = await caughtBy(file, line, broken, tests);
    if (caught === undefined) failed += 1;
    console.log(`${caught === undefined ? '✗' : '✓'} ${file}: ${line.trim()}\n    ${caught ?? 'not caught'}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/**
 * @param {string} file
 * @param {string} line
 * @param {string} broken
 * @param {string} tests
 */
async function caughtBy(file, line, broken, tests) {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  const [before, after, ...more] = whole.split(line);
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  writeFileSync(path, before + broken + after);
  const caught = await failureOf(['run', tests]);
  writeFileSync(path, whole);
  return caught;
}

/** @param {string} file */
function testsBeside(file) {
  const beside = file.replace('src', 'tests/unit').replace('.ts', '.test.ts');
  if (existsSync(beside)) return beside;
  return existsSync(dirname(beside)) ? `${dirname(beside)}/` : 'tests/renderer/';
}

/** @param {string[]} what */
async function failureOf(what) {
  const projects = ['unit*', 'fuzz', 'renderer'].flatMap((one) => ['--project', one]);
  const report = await outputOf([
    ...['node_modules/vitest/vitest.mjs', ...what, ...projects],
    ...['--bail', '1', '--reporter', 'json'],
  ]);
  const { testResults = [] } = JSON.parse(report.slice(report.indexOf('{')) || '{}');
  for (const { name, message, assertionResults } of testResults) {
    const test = assertionResults.find((/** @type {{ status: string }} */ one) => one.status === 'failed');
    const found = test?.fullName ?? message;
    if (found !== '') return `${name.slice(copy.length + 1)}: ${found}`;
  }
  return undefined;
}

/** @param {string[]} args */
async function outputOf(args) {
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ part) => (output += part));
  await new Promise((resolve) => child.on('close', resolve));
  return output;
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { analyzeResult, compareResults } from '../../../../src/cli/commands/results.ts';
import { changeConditions, levelConditions, type JudgedCondition } from '../../../../src/cli/conditions.ts';
import { junitXml } from '../../../../src/cli/run/gate.ts';
import { demoState } from '../../builders.ts';
import { newFolder } from '../../../helpers/folders.ts';

const SAMPLE = 'tests/fixtures/results/sample-result.json';

/** Every element with its attributes and the element that it is in, in order. */
function elementsOf(xml: string): { name: string; within: string; attributes: Record<string, string> }[] {
  const found: ReturnType<typeof elementsOf> = [];
  const path: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    found.push({ name, within: path.at(-1) ?? '', attributes });
    path.push(name);
  });
  parser.on('closetag', () => path.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

const speed = { value: 0.5, low: 0.45, high: 0.55, confidence: 0.95 };
const condition = (outcome: JudgedCondition['outcome'], level = 'bind-mount'): JudgedCondition => ({
  condition: `storage.${level}>1.3`,
  outcome,
  factor: 'storage',
  level,
  reference: 'named-volume',
  scenario: null,
  speed,
});

describe('the JUnit file', () => {
  it('has a test case for each condition', () => {
    const state = demoState();
    const xml = junitXml([condition('true'), condition('inconclusive'), condition('false')], [state]);
    const [suite, ...cases] = elementsOf(xml);
    expect(suite).toMatchObject({
      name: 'testsuite',
      attributes: {
        name: 'whalemark.docker-options',
        tests: '3',
        failures: '1',
        errors: '0',
        skipped: '1',
        time: String(((state.finishedAt ?? 0) - state.startedAt) / 1000),
        timestamp: new Date(state.startedAt).toISOString(),
      },
    });
    expect(cases.map(({ name, within }) => `${within}/${name}`)).toEqual([
      'testsuite/testcase',
      'testcase/failure',
      'testsuite/testcase',
      'testcase/skipped',
      'testsuite/testcase',
    ]);
    const message = 'bind-mount is 0.50× as fast as named-volume (95% CI 0.45–0.55)';
    expect(cases[0]?.attributes).toMatchObject({ name: 'storage.bind-mount>1.3', time: '0' });
    expect(cases[1]?.attributes).toMatchObject({ message });
    expect(cases[3]?.attributes).toEqual({ message: `inconclusive: ${message}` });
  });

  it('escapes what is not its own', () => {
    const conditions = [condition('true', `<a href="x">&'\u0001`)];
    const [, one] = elementsOf(junitXml(conditions, [demoState()]));
    expect(one?.attributes['name']).toBe(`storage.<a href="x">&'>1.3`);
  });
});

describe('commands with --junit', () => {
  let folder = '';
  beforeEach(() => {
    folder = newFolder();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
  });

  it('write it into a folder that they create, and end with the code of the conditions', async () => {
    const junit = join(folder, 'reports', 'junit.xml');
    const failIf = levelConditions('storage.container-layer>1.3', levelConditions('storage.bind-mount>1.3'));
    expect(await analyzeResult(SAMPLE, { failIf, junit })).toBe(6);
    expect(elementsOf(await readFile(junit, 'utf8')).map(({ name }) => name)).toEqual([
      'testsuite',
      'testcase',
      'testcase',
      'failure',
    ]);
    const same = { failIf: changeConditions('slower>1.3'), junit };
    await expect(compareResults([SAMPLE, SAMPLE], same)).rejects.toMatchObject({ code: 'EXPORT_EXISTS' });
    expect(await compareResults([SAMPLE, SAMPLE], { ...same, force: true })).toBe(0);
    expect(elementsOf(await readFile(junit, 'utf8'))[0]?.attributes).toMatchObject({ failures: '0' });
  });

  it('never replace a result', async () => {
    const result = join(folder, 'result.json');
    await writeFile(result, await readFile(SAMPLE));
    const failIf = levelConditions('storage.bind-mount>1.3');
    const ending = analyzeResult(result, { failIf, junit: result, force: true });
    await expect(ending).rejects.toMatchObject({ code: 'USAGE' });
    expect(await readFile(result)).toEqual(await readFile(SAMPLE));
  });

  it('refuse a level that the result does not compare', async () => {
    const ending = analyzeResult(SAMPLE, { failIf: levelConditions('storage.tmpfs>1') });
    await expect(ending).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('bind-mount') as string,
    });
  });
});

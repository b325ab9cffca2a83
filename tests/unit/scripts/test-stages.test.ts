import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { isStage, needsOf, STAGE_NEEDS } from '../../../scripts/test-stages.mjs';
import { tool } from '../../../scripts/tool.mjs';

describe('the stages of npm test', () => {
  it('that check code ask set-up for the npm packages alone', () => {
    expect(needsOf(['format', 'lint', 'types', 'unit', 'fuzz', 'build'])).toEqual(['modules']);
  });

  it('ask for what they need, each thing once', () => {
    expect(needsOf(['unit', 'nothing left behind'])).toEqual(['modules', 'engine']);
    expect(needsOf(['integration'])).not.toContain('electron');
    expect(needsOf(['integration', 'end to end']).sort()).toEqual(needsOf([]).sort());
  });

  it('ask for everything that set-up has when none is named', () => {
    const setup = readFileSync('scripts/setup.mjs', 'utf8');
    const [, needs = ''] = /@typedef \{([^}]+)\} Need$/m.exec(setup) ?? [];
    const all = [...needs.matchAll(/'(\w+)'/g)].map(([, need]) => need);
    expect(all.length).toBeGreaterThan(5);
    expect(needsOf([]).sort()).toEqual(all.sort());
  });

  it('are those that scripts/test.mjs runs, in its order', () => {
    const script = readFileSync('scripts/test.mjs', 'utf8');
    const [, list = ''] = /^const stages = \[\n([\s\S]*?)^\];$/m.exec(script) ?? [];
    const run = [...list.matchAll(/^ {2}\['([^']+)',/gm)].map(([, name]) => name);
    expect(run).toEqual(Object.keys(STAGE_NEEDS));
  });

  it('are known by their names alone', () => {
    expect(isStage('end to end')).toBe(true);
    expect(isStage('e2e')).toBe(false);
    expect(isStage('toString')).toBe(false);
  });
});

describe('a program of a package', () => {
  it.each([
    ['prettier', 'prettier'],
    ['eslint', 'eslint'],
    ['vitest', 'vitest'],
    ['@playwright/test', 'playwright'],
  ])('of %s, %s, is a file that this Node can run', (name, program) => {
    const [node, file] = tool(name, program);
    expect(node).toBe(process.execPath);
    expect(file.startsWith(join('node_modules', name))).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  it('is never started from node_modules/.bin, which has scripts for the shell on Windows', () => {
    const scripts = ['scripts', 'bench'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.mjs'))
        .map((name) => join(folder, name)),
    );
    expect(scripts).toContain(join('scripts', 'fuzz.mjs'));
    expect(scripts.filter((file) => /['"`/]\.bin\b/.test(readFileSync(file, 'utf8')))).toEqual([
      join('scripts', 'tool.mjs'),
    ]);
  });

  it('that the package does not have is said', () => {
    expect(() => tool('typescript')).toThrow('The package typescript has no program called typescript.');
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE_24_FILES } from '../../../../scripts/test/run-stages.mjs';
import {
  LANES,
  needsOf,
  PHASES,
  requestOf,
  runnerOf,
  STAGE_NAMES,
  STAGES,
} from '../../../../scripts/test/stages.mjs';

const GATE = STAGE_NAMES.filter((name) => !('full' in STAGES[name]));

describe('what is asked of npm test', () => {
  it('is every stage of the gate when nothing is named', () => {
    expect(requestOf([])).toEqual({ full: false, stages: GATE, paths: [], rest: [] });
    expect(requestOf(['--full'])).toMatchObject({ full: true, stages: STAGE_NAMES });
  });

  it('is named by stage or phase, and runs in the order of the stages', () => {
    expect(requestOf(['build', 'unit']).stages).toEqual(['unit', 'build']);
    expect(requestOf(['static']).stages).toEqual(GATE.filter((name) => STAGES[name].phase === 'static'));
  });

  it('is files of tests with options for their runner', () => {
    expect(requestOf(['tests/unit/a.test.ts', '-t', 'title'])).toEqual({
      full: false,
      stages: [],
      paths: ['tests/unit/a.test.ts'],
      rest: ['-t', 'title'],
    });
  });

  it.each([[['untit']], [['toString']], [['unit', '-t', 'x']], [['unit', 'tests/unit/a.test.ts']]])(
    'is refused when it makes no sense: %j',
    (argv) => expect(() => requestOf(argv)).toThrow(),
  );
});

describe('the stages', () => {
  it('that start no server come first and need no set-up', () => {
    const phases = STAGE_NAMES.map((name) => PHASES.indexOf(STAGES[name].phase));
    expect(phases).toEqual([...phases].sort((one, other) => one - other));
    expect(needsOf(requestOf(['static']).stages)).toEqual([]);
  });

  it('need what set-up has, each thing once', () => {
    const needs = needsOf(STAGE_NAMES);
    expect(new Set(needs).size).toBe(needs.length);
    expect(needs).toEqual(
      expect.arrayContaining(['engine', 'images', 'native', 'compose', 'electron', 'display', 'tools']),
    );
  });

  it('that measure run alone', () => {
    expect(STAGES.quiet.phase).toBe('alone');
    expect(LANES.alone).toBe(1);
  });
});

describe('the runner of a file', () => {
  it('is Vitest with the project of its folder', () => {
    expect(runnerOf(['tests/unit/a.test.ts'])).toMatchObject({
      runner: 'vitest',
      projects: ['unit*'],
      needs: [],
      isBuilt: false,
    });
    expect(runnerOf(['tests/integration/load/a.test.ts'])).toMatchObject({
      projects: ['load'],
      isBuilt: true,
    });
    expect(runnerOf(['tests/integration/run/a.test.ts'])).toMatchObject({ projects: ['integration'] });
  });

  it('is Playwright for the window', () => {
    expect(runnerOf(['tests/e2e/home.spec.ts'])).toMatchObject({ runner: 'playwright' });
    expect(runnerOf(['tests/e2e/home.spec.ts']).needs).toContain('electron');
  });

  it('is one: files of both are refused, and files of neither', () => {
    expect(() => runnerOf(['tests/e2e/home.spec.ts', 'tests/unit/a.test.ts'])).toThrow();
    expect(() => runnerOf(['bench/faults/main.ts'])).toThrow();
  });
});

describe('the stage of Node 24', () => {
  it.each(NODE_24_FILES)('finds its file %s', (file) => {
    expect(existsSync(join(import.meta.dirname, '../../../..', file))).toBe(true);
  });
});

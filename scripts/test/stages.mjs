/**
 * The stages of `npm test`. Stages of a phase start in this order, two at a time, except in `alone` and later
 * phases. A phase begins after the one before; after a failure in `static`, none does.
 *
 * @typedef {'static' | 'engine' | 'alone' | 'engines' | 'after'} Phase
 * @typedef {{ phase: Phase, needs: import('../setup.mjs').Need[], full?: boolean }} StageFacts `full`: in the full run only
 */
export const STAGES = /** @satisfies {Record<string, StageFacts>} */ ({
  unit: { phase: 'static', needs: [] },
  types: { phase: 'static', needs: [] },
  lint: { phase: 'static', needs: [] },
  format: { phase: 'static', needs: [] },
  docs: { phase: 'static', needs: [] },
  build: { phase: 'static', needs: [] },
  renderer: { phase: 'static', needs: [] },
  fuzz: { phase: 'static', needs: [] },
  'types of electron 22': { phase: 'static', needs: ['electron-22-types'], full: true },
  integration: { phase: 'engine', needs: ['engine', 'images', 'native', 'compose', 'tools'] },
  window: { phase: 'engine', needs: ['electron', 'display'] },
  load: { phase: 'engine', needs: ['engine', 'images'] },
  servers: { phase: 'engine', needs: ['engine', 'images', 'native', 'compose', 'tools'] },
  chromium: { phase: 'engine', needs: ['chromium'], full: true },
  sandbox: { phase: 'engine', needs: ['electron', 'display'], full: true },
  'node 24': {
    phase: 'alone',
    needs: ['engine', 'images', 'native', 'compose', 'tools', 'node-24'],
    full: true,
  },
  'end to end': {
    phase: 'alone',
    needs: ['engine', 'images', 'native', 'compose', 'electron', 'display', 'tools'],
  },
  quiet: { phase: 'alone', needs: ['engine', 'images', 'native', 'compose', 'tools'] },
  'docker 28': { phase: 'engines', needs: ['images', 'compose', 'engines'], full: true },
  'docker 28 containerd': { phase: 'engines', needs: ['images', 'compose', 'engines'], full: true },
  'podman 5': { phase: 'engines', needs: ['images', 'compose', 'engines'], full: true },
  vm: { phase: 'engines', needs: ['images', 'compose', 'vm'], full: true },
  'nothing left behind': { phase: 'after', needs: ['engine'] },
});

/** @typedef {keyof typeof STAGES} Stage */

export const STAGE_NAMES = /** @type {Stage[]} */ (Object.keys(STAGES));

export const PHASES = /** @type {const} */ (['static', 'engine', 'alone', 'engines', 'after']);

/** @type {Record<Phase, number>} how many stages run at a time: a test machine has two cores */
export const LANES = { static: 2, engine: 2, alone: 1, engines: 1, after: 1 };

/**
 * @param {readonly Stage[]} stages
 * @returns {import('../setup.mjs').Need[]}
 */
export const needsOf = (stages) => [
  ...new Set(
    stages.flatMap((stage) => /** @type {import('../setup.mjs').Need[]} */ ([...STAGES[stage].needs])),
  ),
];

/** @type {[folder: string, project: string, stage: Stage][]} */
const PROJECTS = [
  ['tests/unit/', 'unit*', 'unit'],
  ['tests/renderer/', 'renderer', 'renderer'],
  ['tests/fuzz/', 'fuzz', 'fuzz'],
  ['tests/chromium/', 'chromium', 'chromium'],
  ['tests/engines/', 'engines', 'docker 28'],
  ['tests/integration/load/', 'load', 'load'],
  ['tests/integration/servers/', 'servers', 'servers'],
  ['tests/integration/compose/', 'servers', 'servers'],
  ['tests/integration/', 'integration', 'integration'],
];

/**
 * @typedef {object} Request of `npm test`
 * @property {boolean} full
 * @property {Stage[]} stages in their order
 * @property {string[]} paths test files or folders instead of stages
 * @property {string[]} rest the runner's options
 */

/**
 * Reads `[--full] [STAGE | PHASE]…` or `PATH… [OPTION…]`.
 *
 * @param {readonly string[]} argv
 * @returns {Request}
 * @throws {Error} that names the unknown word
 */
export function requestOf(argv) {
  const full = argv.includes('--full');
  const words = argv.filter((word) => word !== '--full');
  const first = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, first < 0 ? words.length : first);
  const rest = first < 0 ? [] : words.slice(first);
  const paths = names.map((name) => name.replaceAll('\\', '/')).filter((name) => name.startsWith('tests/'));
  if (paths.length > 0) {
    if (paths.length < names.length) throw new Error('Name either stages or files of tests, not both.');
    return { full, stages: [], paths, rest };
  }
  if (rest.length > 0) {
    throw new Error(
      `${rest.join(' ')}: options go with the path of a test, as in npm test -- tests/unit/x.test.ts -t title`,
    );
  }
  const wanted = names.flatMap((name) => {
    const stages = STAGE_NAMES.filter((stage) => stage === name || STAGES[stage].phase === name);
    if (stages.length > 0) return stages;
    // A misspelled name must not look like a stage that passed.
    throw new Error(
      `There is no stage “${name}”. Name a test file (tests/…), stages (${STAGE_NAMES.join(', ')}), or phases (${PHASES.join(', ')}).`,
    );
  });
  return {
    full,
    stages: STAGE_NAMES.filter((stage) => {
      const { full: isFullOnly = false } = /** @type {StageFacts} */ (STAGES[stage]);
      if (names.includes(stage)) return true;
      return (full || !isFullOnly) && (names.length === 0 || wanted.includes(stage));
    }),
    paths,
    rest,
  };
}

/**
 * @param {readonly string[]} paths
 * @returns {{ runner: 'vitest' | 'playwright', projects: string[], needs: import('../setup.mjs').Need[], isBuilt: boolean }}
 *   `isBuilt`: tests of `npm run build`'s output
 * @throws {Error} when no runner has a path, or two would have to run
 */
export function runnerOf(paths) {
  const inWindow = paths.filter((path) => path.startsWith('tests/e2e/'));
  if (inWindow.length === paths.length) {
    return { runner: 'playwright', projects: [], needs: needsOf(['end to end']), isBuilt: true };
  }
  if (inWindow.length > 0)
    throw new Error('Run the tests of tests/e2e by themselves: they have a runner of their own.');
  const found = paths.map((path) => {
    const project = PROJECTS.find(([folder]) => path.startsWith(folder));
    if (project === undefined)
      throw new Error(
        `${path} is in no folder of tests: ${PROJECTS.map(([folder]) => folder).join(', ')}, tests/e2e/`,
      );
    return project;
  });
  const needs = needsOf(found.map(([, , stage]) => stage));
  return {
    runner: 'vitest',
    projects: [...new Set(found.map(([, project]) => project))],
    needs,
    isBuilt: needs.length > 0,
  };
}

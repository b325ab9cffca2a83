import { readdirSync } from 'node:fs';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/**
 * Which rooms may import what (docs/dev/architecture.md draws it).
 * @param {string[]} files
 * @param {string[][]} forbidden pairs of a pattern and a message
 * @returns {import('eslint').Linter.Config}
 */
const room = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: forbidden.map(([regex, message]) => ({ regex, message, caseSensitive: true })) },
    ],
  },
});
const electron = ['^electron(/|$)', 'Only src/main and src/preload may import electron.'];
const dockerode = ['^dockerode$', 'Only src/benchmark/runtime may import dockerode.'];
const mysql2 = ['^mysql2(/|$)', 'Only src/benchmark/load may import mysql2.'];
const node = ['^node:', 'No Node built-ins here.'];
/** @param {string[]} rooms */
const ours = (...rooms) => [`(^|/)(${rooms.join('|')})/`, `This room must not import ${rooms.join(', ')}.`];

/**
 * Rooms of a folder, each above all that it imports.
 * @param {string} folder
 * @param {string[]} rooms from the ground up
 * @param {(name: string) => string[][]} forbidden
 */
const floors = (folder, rooms, forbidden) => {
  const missing = readdirSync(folder).filter((name) => !rooms.includes(name) && !name.endsWith('.d.ts'));
  if (missing.length > 0) throw new Error(`${folder}: on which floor is ${missing.join(', ')}?`);
  return rooms.map((name, floor) => {
    const above = rooms.slice(floor + 1).map((one) => one.replace('.', '\\.'));
    const up = [`^(\\.\\./)+(${above.join('|')})(/|$)`, `Only rooms above ${name} may import this one.`];
    return room(
      [`${folder}/${name}${name.includes('.') ? '' : '/**'}`],
      above.length === 0 ? forbidden(name) : [...forbidden(name), up],
    );
  });
};
const SHARED = [
  'locales',
  'escape-reg-exp.ts',
  'units.ts',
  'histogram',
  'message.ts',
  'field-problems.ts',
  'errors.ts',
  'kinds',
  'model',
  'statistics',
  'options',
  'docker',
  'preset',
  'run',
  'compose',
  'analysis',
  'contract',
  'words',
  'pictures',
  'document',
];
const BENCHMARK = [
  'random.ts',
  'stop.ts',
  'privacy',
  'files',
  'log',
  'installation',
  'host',
  'owners',
  'runtime',
  'load',
  'interference',
  'reading',
  'store',
  'servers',
  'compose',
  'context',
  'presets',
  'database',
  'plan',
  'tasks',
  'start',
  'run',
  'report',
  'diagnostics',
  'service.ts',
  'handlers',
  'reader-main.ts',
];

/** Programs are started by their file with a list of arguments; a shell would read what is in them. */
const NO_SHELL = [
  [
    'ImportDeclaration[source.value=/child_process$/] ImportSpecifier[imported.name=/^exec(Sync)?$/]',
    'exec runs a shell; use execFile or spawn.',
  ],
  [
    'ImportDeclaration[source.value=/child_process$/] :matches(ImportDefaultSpecifier, ImportNamespaceSpecifier)',
    'Import the functions of child_process by name.',
  ],
  ["Property[key.name='shell']", 'Nothing runs through a shell.'],
];
/**
 * What the app's main process may do in a single place, which says so. docs/dev/security.md has the reasons.
 */
const ONE_DOOR = [
  [
    'CallExpression[callee.property.name=/^(openExternal|openPath|showItemInFolder|loadURL|loadFile)$/]',
    'A way out of the app, or into its window: it needs a reason here and in docs/dev/security.md.',
  ],
  ["NewExpression[callee.name='BrowserWindow']", 'There is one window, with the settings of security.ts.'],
  [
    'ImportSpecifier[imported.name=/^ipc(Main|Renderer)$/]',
    'Window and main talk through one door on each side.',
  ],
  ['ImportDeclaration[source.value=/child_process$/]', 'The app’s main process starts no programs.'],
  [
    'CallExpression[callee.property.name=/^(executeJavaScript|insertCSS|setCertificateVerifyProc)$/]',
    'Nothing gets around the page’s own code and policy.',
  ],
  [
    'Property[key.name=/^(nodeIntegration\\w*|webviewTag|allowRunningInsecureContent|enableBlinkFeatures|bypassCSP|enableRemoteModule)$/][value.value=true]',
    'It turns a protection of Electron off.',
  ],
  [
    'Property[key.name=/^(sandbox|contextIsolation|webSecurity)$/][value.value=false]',
    'It turns a protection of Electron off.',
  ],
  [
    'Literal[value=/certificate-error|ignore-certificate|no-sandbox|disable-web-security/]',
    'It turns a protection of Chromium off.',
  ],
];
/** The page’s elements get their contents from Svelte. */
const NO_MARKUP = [
  [
    'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
    'Markup in a text would become elements.',
  ],
  [
    "CallExpression[callee.name='eval'], MemberExpression[object.name='document'][property.name='write']",
    'The page’s policy forbids it.',
  ],
];
/**
 * @param {string[]} files
 * @param {string[][]} forbidden pairs of a selector and a message
 * @returns {import('eslint').Linter.Config}
 */
const restricted = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-syntax': [
      'error',
      ...forbidden.map(([selector = '', message = '']) => ({ selector, message })),
    ],
  },
});

export default defineConfig(
  {
    ignores: [
      'out/',
      'dist/',
      '.cache/',
      'node_modules/',
      'test-results/',
      'playwright-report/',
      'tests/rig/',
      // AssemblyScript, which its compiler checks.
      'src/benchmark/load/builtin/threads/wasm/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strict,
  ...svelte.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    languageOptions: { parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'] } },
  },
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-duplicate-imports': 'error',
    },
  },
  restricted(['src/**'], NO_SHELL),
  restricted(['src/main/**', 'src/preload/**'], [...NO_SHELL, ...ONE_DOOR]),
  restricted(['src/renderer/**'], [...NO_SHELL, ...NO_MARKUP]),
  { files: ['scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  ...floors('src/shared', SHARED, () => [
    electron,
    dockerode,
    mysql2,
    node,
    ours('benchmark', 'main', 'preload', 'renderer', 'cli'),
  ]),
  room(['src/renderer/**'], [electron, dockerode, mysql2, node, ours('benchmark', 'main', 'preload', 'cli')]),
  ...floors('src/benchmark', BENCHMARK, (name) => [
    electron,
    ...(name === 'runtime' ? [] : [dockerode]),
    ...(name === 'load' ? [] : [mysql2]),
    ours('main', 'preload', 'renderer', 'cli'),
  ]),
  room(['src/main/**'], [dockerode, mysql2, ours('renderer', 'cli')]),
  room(['src/preload/**'], [dockerode, mysql2, node, ours('benchmark', 'renderer', 'cli')]),
  room(['src/cli/**'], [electron, dockerode, mysql2, ours('main', 'preload', 'renderer')]),
);

import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/**
 * Which rooms may import what (docs/architecture.md draws it).
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
const mysql2 = ['^mysql2(/|$)', 'Only src/benchmark/load and src/benchmark/target may import mysql2.'];
const node = ['^node:', 'No Node built-ins here.'];
/** @param {string[]} rooms */
const ours = (...rooms) => [`(^|/)(${rooms.join('|')})/`, `This room must not import ${rooms.join(', ')}.`];

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
    ],
  },
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
  {
    // Programs are started by their file with a list of arguments; a shell would read what is in them.
    files: ['src/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ImportDeclaration[source.value=/child_process$/] ImportSpecifier[imported.name=/^exec(Sync)?$/]',
          message: 'exec runs a shell; use execFile or spawn.',
        },
        { selector: "Property[key.name='shell']", message: 'Nothing runs through a shell.' },
      ],
    },
  },
  { files: ['scripts/**', 'bench/**', 'tests/faults/main.ts'], rules: { 'no-console': 'off' } },
  room(
    ['src/shared/**'],
    [electron, dockerode, mysql2, node, ours('benchmark', 'main', 'preload', 'renderer', 'cli')],
  ),
  room(['src/renderer/**'], [electron, dockerode, mysql2, node, ours('benchmark', 'main', 'preload', 'cli')]),
  room(['src/benchmark/**'], [electron, dockerode, mysql2, ours('main', 'preload', 'renderer', 'cli')]),
  room(['src/benchmark/runtime/**'], [electron, mysql2, ours('main', 'preload', 'renderer', 'cli')]),
  room(
    ['src/benchmark/load/**', 'src/benchmark/target/**'],
    [electron, dockerode, ours('main', 'preload', 'renderer', 'cli')],
  ),
  room(['src/main/**'], [dockerode, mysql2, ours('renderer', 'cli')]),
  room(['src/preload/**'], [dockerode, mysql2, node, ours('benchmark', 'renderer', 'cli')]),
  room(['src/cli/**'], [electron, dockerode, mysql2, ours('main', 'preload', 'renderer')]),
);

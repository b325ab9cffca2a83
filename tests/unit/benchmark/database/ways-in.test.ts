import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { othersIn, waysIn } from '../../../../src/benchmark/database/ways-in.ts';
import { stackOf } from '../../../../src/benchmark/database/stacks.ts';
import { newFolder } from '../../../helpers/folders.ts';

const WORKFLOW = 'on: push\njobs:\n  a:\n    services:\n      db:\n        image: mysql:8.4\n';

function folderWith(files: Record<string, string>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('finds every way into a project in a folder, tools first', async () => {
  const folder = folderWith({
    '.ddev/config.yaml': 'name: shop\n',
    '.devcontainer/devcontainer.json': '{ "image": "debian" }',
    '.devcontainer/php/devcontainer.json': '{ "dockerComposeFile": "compose.yaml" }',
    'docker-compose.test.yml': '',
    'docker-compose.override.yml': '',
    'stack.yml': 'services:\n  db:\n    image: mysql:8.4\n',
    'docs.yml': 'services:\n  web:\n    image: nginx\n',
    'docker/dev.yaml': 'services:\n  db:\n    image: mariadb\n',
    '.github/workflows/lint.yml': 'on: push\njobs: {}\n',
    '.github/workflows/postgres.yml': WORKFLOW.replace('mysql', 'postgres'),
    '.github/workflows/test.yml': WORKFLOW,
  });
  expect((await waysIn(folder)).map((file) => relative(folder, file).replaceAll('\\', '/'))).toEqual([
    '.ddev/config.yaml',
    '.devcontainer/php/devcontainer.json',
    'docker-compose.test.yml',
    'stack.yml',
    'docker/dev.yaml',
    '.github/workflows/test.yml',
  ]);
});

it('names files of other kinds where there is no way in', async () => {
  const folder = folderWith({
    Dockerfile: 'FROM mysql:8.4\n',
    'db.container': '',
    'notes.txt': 'none\n',
    '.devcontainer/devcontainer.json': '{ "image": "debian" }',
    '.circleci/config.yml': 'jobs: { a: { docker: [{ image: "cimg/mysql:8.0" }] } }\n',
    '.github/workflows/lint.yml': 'on: push\njobs: {}\n',
  });
  expect(await waysIn(folder)).toEqual([]);
  const files = (await othersIn(folder)).map(({ params }) => String(params?.['file']).replaceAll('\\', '/'));
  expect(files).toEqual([
    'Dockerfile',
    'db.container',
    '.devcontainer/devcontainer.json',
    '.circleci/config.yml',
  ]);
});

it.each([
  ['"../compose.yaml"', ['compose.yaml']],
  ['["../compose.yaml", "own.yml"]', ['compose.yaml', '.devcontainer/own.yml']],
  ['[]', []],
])('takes the Compose files %s of a dev container', async (files, expected) => {
  const folder = folderWith({
    '.devcontainer/devcontainer.json': `// why\n{ "dockerComposeFile": ${files}, /* last */ }\n`,
  });
  const stack = await stackOf(join(folder, '.devcontainer', 'devcontainer.json'), folder);
  expect(stack?.files).toEqual(expected.map((file) => join(folder, file)));
});

it.each([(hash: string) => hash, (hash: string) => `wp-env-shop-${hash.slice(0, 8)}`])(
  'takes what wp-env wrote for a project, by the hash of its path (%#)',
  async (nameOf) => {
    const folder = folderWith({ '.wp-env.json': '{}' });
    const file = join(folder, '.wp-env.json');
    expect((await stackOf(file, folder))?.files).toEqual([file]);
    const hash = createHash('md5').update(file).digest('hex');
    const made = join(folder, '.wp-env', nameOf(hash), 'docker-compose.yml');
    mkdirSync(dirname(made), { recursive: true });
    writeFileSync(made, '');
    expect((await stackOf(file, folder))?.files).toEqual([made]);
  },
);

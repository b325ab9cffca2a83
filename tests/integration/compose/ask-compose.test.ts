import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askCompose, type ComposeProject } from '../../../src/benchmark/compose/ask-compose.ts';
import { findCompose } from '../../../src/benchmark/compose/find-compose.ts';
import { newFolder } from '../../helpers/folders.ts';

const CANARY = 'hunter2-canary';
const DB = 'services:\n  db:\n    image: mysql:8.4\n';

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function ask(
  files: Record<string, string>,
  names: readonly string[] = [],
  more: Partial<ComposeProject> = {},
  env: NodeJS.ProcessEnv = {},
) {
  const folder = await folderOf(files);
  const project = { folder, ...more, files: names.map((name) => join(folder, name)) };
  return { folder, ...(await askCompose(await findCompose(), project, { env: { ...process.env, ...env } })) };
}

async function refused(asked: Promise<unknown>): Promise<Error> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  return error instanceof Error ? error : expect.fail('it was read');
}

describe('the user’s Compose resolves', () => {
  it('what it finds in the folder, with .env, and its overrides', async () => {
    const { model, folder } = await ask({
      'compose.yaml': `${DB}    environment:\n      P: \${PW}\n    volumes: ["./d:/var/lib/mysql", "\${PWD}/e:/e"]\n`,
      'compose.override.yaml': 'services:\n  db:\n    image: mysql:9.7\n',
      '.env': `PW='a$b$$'\n`,
    });
    expect(model.services['db']).toMatchObject({
      image: 'mysql:9.7',
      environment: { P: 'a$b$$' },
      volumes: [{ source: join(folder, 'd') }, { source: join(folder, 'e') }],
    });
  });

  it('several files, profiles, an env file, and an include', async () => {
    const { model, folder } = await ask(
      {
        'a.yaml': `include: [sub/more.yaml]\n${DB}    profiles: [data]\n    env_file: db.env\n`,
        'b.yaml': 'services:\n  db:\n    command: --max-connections=${MOST}\n',
        'sub/more.yaml': 'services:\n  app:\n    image: app\n    volumes: ["./src:/src"]\n',
        'db.env': 'MYSQL_DATABASE=shop\n',
        '.env': 'MOST=42\n',
      },
      ['a.yaml', 'b.yaml'],
      { profiles: ['*'] },
      { COMPOSE_PROJECT_NAME: 'shop' },
    );
    expect(model).toMatchObject({ name: 'shop' });
    expect(model.services).toMatchObject({
      db: { command: ['--max-connections=42'], environment: { MYSQL_DATABASE: 'shop' } },
      app: { volumes: [{ source: join(folder, 'sub', 'src') }] },
    });
  });

  it('a variable without a value, and warns', async () => {
    const { warnings } = await ask({ 'compose.yaml': `${DB}    environment:\n      P: \${UNSET_HERE}\n` });
    expect(warnings).toEqual([expect.stringContaining('"UNSET_HERE" variable is not set')]);
  });
});

describe('the user’s Compose refuses', () => {
  it.each<[what: string, files: Record<string, string>, reason: RegExp]>([
    ['an unknown key', { 'compose.yaml': `${DB}    foo: ${CANARY}\n` }, /compose\.yaml: .*foo/],
    ['broken YAML', { 'compose.yaml': `services:\n  db:\n    image: "${CANARY}\n` }, /yaml: line/],
    [
      'a required variable',
      { 'compose.yaml': `${DB}    environment:\n      P: \${X_HERE:?set it}\n      Q: ${CANARY}\n` },
      /X_HERE is missing a value: set it/,
    ],
    [
      'a value that is no reference',
      { 'compose.yaml': `${DB}    environment:\n      P: "${CANARY}\${"\n` },
      /invalid interpolation format/,
    ],
    ['a broken .env', { 'compose.yaml': DB, '.env': `A="${CANARY}\n` }, /\.env: line \d/],
  ])('%s, in its own words and without values', async (_what, files, reason) => {
    const error = await refused(ask(files));
    expect(error).toMatchObject({
      code: 'COMPOSE_REFUSED',
      message: expect.stringMatching(reason) as string,
    });
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain(CANARY);
  });

  it('what is on another machine, without fetching it', async () => {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const at = `127.0.0.1:${port}`;
    try {
      for (const address of [`http://${at}/x.git`, `oci://${at}/x/y:1`, `http://${at}/compose.yaml`]) {
        for (const text of [
          `include: ["${address}"]\n${DB}`,
          `services:\n  db:\n    extends: { file: "${address}", service: db }\n`,
        ]) {
          const files = {
            'compose.yaml': text,
            '.env': 'COMPOSE_EXPERIMENTAL_GIT_REMOTE=true\nCOMPOSE_EXPERIMENTAL_OCI_REMOTE=true\n',
          };
          expect(await refused(ask(files))).toMatchObject({ code: 'COMPOSE_REFUSED' });
        }
        const env = { COMPOSE_FILE: address };
        expect(await refused(ask({ 'compose.yaml': DB }, [], {}, env))).toMatchObject({
          code: 'COMPOSE_REFUSED',
        });
      }
    } finally {
      server.close();
    }
    expect(asked).toEqual([]);
  });
});

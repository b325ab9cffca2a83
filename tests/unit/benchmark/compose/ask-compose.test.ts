import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askCompose, type ComposeProject } from '../../../../src/benchmark/compose/ask-compose.ts';
import { composeWords } from '../../../../src/benchmark/compose/compose-words.ts';
import { program, scratch } from './fake-compose.ts';

const CANARY = 'hunter2-canary';
const folder = scratch();
let count = 0;

/** Asks a program with this script. */
function ask(
  script: string,
  project: Partial<ComposeProject> = {},
  more: Parameters<typeof askCompose>[2] = {},
  mode = 0o755,
) {
  count += 1;
  const command = program(join(folder, String(count), 'docker-compose'), script, mode);
  const asked = { command, before: [], version: '2.30.0' };
  return askCompose(asked, { folder, files: [], ...project }, { limitMs: 60_000, ...more });
}
const caught = (asked: Promise<unknown>): Promise<Record<string, unknown>> =>
  asked.then(
    () => ({}),
    (error: unknown) => error as Record<string, unknown>,
  );
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const ECHO = `console.log(JSON.stringify({ services: {}, args: process.argv.slice(2), cwd: process.cwd(), env: process.env }))`;

describe.skipIf(process.platform === 'win32')('what Compose is asked', () => {
  it('is the resolved model of the folder, with the user’s environment and without remote files', async () => {
    const env = { ...process.env, MINE: '1', COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'true' };
    const { model } = await ask(ECHO, {}, { env });
    expect(model).toMatchObject({ args: ['config', '--format', 'json'], cwd: folder });
    expect(model['env']).toMatchObject({
      ...{ MINE: '1', PWD: folder },
      ...{ COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'false', COMPOSE_EXPERIMENTAL_OCI_REMOTE: 'false' },
    });
  });

  it('is the resolved model of these files', async () => {
    mkdirSync(join(folder, 'p'), { recursive: true });
    const { model } = await ask(ECHO, {
      folder: join(folder, 'p'),
      files: ['/a.yaml', '/b.yaml'],
      profiles: ['*'],
      isInterpolated: false,
    });
    expect(model['args']).toEqual([
      ...['--project-directory', join(folder, 'p'), '--file', '/a.yaml', '--file', '/b.yaml'],
      ...['--profile', '*', 'config', '--format', 'json', '--no-interpolate'],
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('what Compose prints', () => {
  it('has each $ doubled', async () => {
    const { model } = await ask(`console.log('{"services":{"db":{"environment":{"P":"a$$b$$$$"}}}}')`);
    expect(model.services).toEqual({ db: { environment: { P: 'a$b$$' } } });
  });

  it('may have no service', async () => {
    expect((await ask(`console.log('{"name":"x"}')`)).model).toEqual({ name: 'x', services: {} });
  });
});

describe('Compose’s words', () => {
  it('are those of its log, without escapes', () => {
    const logged = (text: string): string => `time="2026-01-01T00:00:00Z" level=warning msg="${text}"`;
    const lines = [
      logged('The \\"PW\\" variable is not set.'),
      logged('\\x1b odd'),
      '\u001b[33mWARN\u001b[0m\u0007',
    ];
    expect(composeWords(lines.join('\n'))).toEqual(['The "PW" variable is not set.', '\\x1b odd', 'WARN']);
  });

  it.each([
    `invalid interpolation format for x.\nYou may need to escape any $ with another $.\n${CANARY}$\n${CANARY}`,
    `failed to read .env: line 3: unterminated quoted value "${CANARY}`,
    `unexpected character "!" in variable name near "A=1\\nB=${CANARY}"`,
    `line 3: cannot unmarshal !!str \`${CANARY}\` into int`,
    `cannot use MYSQL_PASSWORD=${CANARY} here`,
  ])('leave out a secret that it quotes: %j', (words) => {
    const said = composeWords(words).join('\n');
    expect(said).not.toContain(CANARY);
    expect(said).toContain(words.slice(0, 10));
  });
});

describe.skipIf(process.platform === 'win32')('a Compose', () => {
  const REMOTE = { params: { reason: { code: 'composeProgram.remote' } } };

  it.each<[words: string, error: object]>([
    [
      'The "A" variable is not set.\n\u001b[31mservices.db\u001b[0m is bad\r\n\nsecond',
      { params: { name: '/p/compose.yaml', reason: 'services.db is bad' }, evidence: ['second'] },
    ],
    // Users never see Compose's own switches.
    ['git remote resource is disabled by "COMPOSE_EXPERIMENTAL_GIT_REMOTE"', REMOTE],
    ['experimental OCI remote resource is disabled. "COMPOSE_EXPERIMENTAL_OCI_REMOTE" must be set', REMOTE],
    ['', { params: { reason: expect.stringMatching(/docker-compose: 7$/) as string } }],
  ])('that refuses with %j is quoted without escapes, or has its exit code named', async (words, error) => {
    const script = `console.error(${JSON.stringify(words)}); process.exit(7)`;
    const refusal = await caught(ask(script, { files: ['/p/compose.yaml'] }));
    expect(refusal).toMatchObject({ code: 'COMPOSE_REFUSED', ...error });
  });

  it('that quotes a password of an address is quoted without it', async () => {
    const error = await caught(
      ask(`console.error('cannot reach mysql://u:${CANARY}@db/x'); process.exit(1)`),
    );
    expect(error).toMatchObject({ code: 'COMPOSE_REFUSED' });
    expect(JSON.stringify([error, error['message'], error['stack']])).not.toContain(CANARY);
  });

  it.each([
    ['prints no JSON', `console.log('${CANARY} {')`],
    ['prints other services', `console.log('{"services":["${CANARY}"]}')`],
  ])('that %s is unreadable', async (_why, script) => {
    const error = await caught(ask(script));
    expect(error).toMatchObject({ code: 'COMPOSE_UNREADABLE', params: { version: '2.30.0' } });
    expect(JSON.stringify([error, error['message'], error['stack'], error['cause']])).not.toContain(CANARY);
  });

  it.each(['stdout', 'stderr'])('that prints without end to %s is ended', async (stream) => {
    const script = `const part = 'x'.repeat(2 ** 20);
      const more = () => { while (process.${stream}.write(part)); process.${stream}.once('drain', more) };
      more()`;
    expect(await caught(ask(script))).toMatchObject({ code: 'COMPOSE_TOO_MUCH' });
  });

  it('that leaves a child with its output isn’t waited for', async () => {
    const script = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'inherit' }).unref();
      console.log('{"services":{}}')`;
    expect((await ask(script)).model).toEqual({ services: {} });
  });

  it('that takes too long is ended', async () => {
    const asked = ask('setInterval(() => 0, 1e6)', {}, { limitMs: 100 });
    expect(await caught(asked)).toMatchObject({ code: 'COMPOSE_TIMEOUT', params: { seconds: '0.1' } });
  });

  it('is ended with what it started when the user stops', async () => {
    const file = join(folder, 'pid');
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => 0, 1e6)`;
    const stop = new AbortController();
    const asked = caught(ask(script, {}, { signal: stop.signal }));
    let pid = 0;
    for (; pid === 0; await wait(20)) if (existsSync(file)) pid = Number(readFileSync(file, 'utf8'));
    stop.abort();
    expect(await asked).toMatchObject({ code: 'STOPPED' });
    // The ended process is there until its new parent has waited for it.
    while (isAlive(pid)) await wait(20);
    expect(await caught(ask(ECHO, {}, { signal: stop.signal }))).toMatchObject({ code: 'STOPPED' });
  });

  it.each([
    ['can’t be executed', {}, 0o644],
    ['has no folder', { folder: join(folder, 'gone') }, 0o755],
  ])('that %s isn’t there', async (_why, project, mode) => {
    expect(await caught(ask(ECHO, project, {}, mode))).toMatchObject({ code: 'COMPOSE_NOT_FOUND' });
  });
});

import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { type ComposeSearch, findCompose } from '../../../../src/benchmark/compose/find-compose.ts';
import type { ProgramEnd } from '../../../../src/benchmark/host/limited-program.ts';

const HOME = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' };

/** A machine with these programs and their answers to `version --short`; null: the program fails. */
function machine(
  answers: Record<string, string | null>,
  {
    platform = 'linux',
    env = {},
    config,
  }: { platform?: keyof typeof HOME; env?: ComposeSearch['env']; config?: string } = {},
) {
  const ran: string[] = [];
  const asked: string[] = [];
  const programs = new Map(Object.entries(answers));
  const search: ComposeSearch = {
    platform,
    env,
    homeDirectory: HOME[platform],
    readText: (path) => (path.endsWith('config.json') ? config : undefined),
    isExecutable: (path) => {
      asked.push(path);
      return programs.has(path);
    },
    run: (command, args): Promise<ProgramEnd> => {
      ran.push([command, ...args].join(' '));
      const answer = programs.get(command) ?? null;
      return Promise.resolve(
        answer === null
          ? { how: 'ended', code: 1, stdout: '', stderr: 'unknown command' }
          : { how: 'ended', code: 0, stdout: `${answer}\n`, stderr: '' },
      );
    },
  };
  return { search, ran, asked, programs };
}

describe('the user’s own Compose', () => {
  it('is looked for in the places of the document, in that order', async () => {
    const env = { ProgramFiles: 'C:\\Program Files', ProgramData: 'C:\\ProgramData', Path: 'C:\\x;D:\\bin' };
    const config = '{"cliPluginsExtraDirs":["/x/y"]}';
    const machines = {
      linux: machine({}, { config, env: { PATH: 'relative:/opt/bin', DOCKER_CONFIG: '/etc/ada' } }),
      darwin: machine({}, { platform: 'darwin' }),
      win32: machine({}, { platform: 'win32', env }),
    };
    const texts: string[] = [];
    for (const [platform, { search, asked }] of Object.entries(machines)) {
      await expect(findCompose(search)).rejects.toMatchObject({ code: 'COMPOSE_NOT_FOUND' });
      texts.push([`# ${platform}`, ...asked, ''].join('\n'));
    }
    const file = join(process.cwd(), 'tests/fixtures/documents/compose-places.txt');
    await expect(texts.join('\n')).toMatchFileSnapshot(file);
  });

  it('is what Docker’s own program has, if there is no other', async () => {
    const { search } = machine({ '/usr/bin/docker': 'v2.40.3-desktop.1' });
    expect(await findCompose(search)).toEqual({
      command: '/usr/bin/docker',
      before: ['compose'],
      version: '2.40.3-desktop.1',
    });
  });

  it('is the first in Docker’s own order that is new enough', async () => {
    const old = '/home/ada/.docker/cli-plugins/docker-compose';
    const { search } = machine(
      {
        [old]: '2.19.1',
        '/opt/bin/docker-compose': '1.29.2',
        '/usr/local/bin/docker-compose': '5.0.0',
        '/usr/libexec/docker/cli-plugins/docker-compose': '2.20.0',
      },
      { env: { PATH: '/opt/bin' } },
    );
    expect(await findCompose(search)).toMatchObject({ version: '2.20.0' });
  });

  it('is remembered until it is gone, and looked for again after a failure', async () => {
    const [one, other] = ['/usr/bin/docker-compose', '/home/ada/.ddev/bin/docker-compose'];
    const { search, ran, programs } = machine({ [one]: '2.30.0', [other]: '2.31.0' });
    await findCompose(search);
    await findCompose(search);
    expect(ran).toEqual([`${one} version --short`]);
    programs.delete(one);
    expect(await findCompose(search)).toMatchObject({ command: other });
    programs.delete(other);
    await expect(findCompose(search)).rejects.toMatchObject({ code: 'COMPOSE_NOT_FOUND' });
    programs.set(one, '2.30.0');
    expect(await findCompose(search)).toMatchObject({ command: one });
  });

  it('that is too old is named', async () => {
    const { search } = machine({ '/usr/bin/docker-compose': '1.29.2', '/usr/bin/docker': null });
    await expect(findCompose(search)).rejects.toMatchObject({
      code: 'COMPOSE_TOO_OLD',
      params: { path: '/usr/bin/docker-compose', version: '1.29.2', oldest: '2.20' },
    });
  });

  it.each([null, 'Docker Compose version 2.30.0'])('that answers %j is named', async (answer) => {
    const { search } = machine({ '/usr/bin/docker-compose': answer, '/usr/bin/docker': null });
    await expect(findCompose(search)).rejects.toMatchObject({
      code: 'COMPOSE_NOT_FOUND',
      evidence: [{ params: { path: '/usr/bin/docker-compose' } }],
    });
  });
});

import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listCandidates } from '../../../../../src/benchmark/runtime/discovery/candidates.ts';
import { connectionKey } from '../../../../../src/benchmark/runtime/engine/endpoints.ts';
import { discoverRuntimes } from '../../../../../src/benchmark/runtime/discovery/discover.ts';
import { BadAnswer, type RawAnswers } from '../../../../../src/benchmark/runtime/discovery/probe.ts';
import type { Surroundings } from '../../../../../src/benchmark/runtime/discovery/surroundings.ts';
import { runtimeReportSchema, type RuntimeReport } from '../../../../../src/shared/model/passport.ts';
import { engineAnswers, fixtureMachine, machineWith, socketError } from '../fixture-machine.ts';

const HOME = '/home/ada';

function contextFile(name: string, host: string, extra: object = {}): [string, string] {
  const directory = createHash('sha256').update(name).digest('hex');
  return [
    `${HOME}/.docker/contexts/meta/${directory}/meta.json`,
    JSON.stringify({ Name: name, Metadata: {}, Endpoints: { docker: { Host: host, ...extra } } }),
  ];
}

function config(currentContext: string): [string, string] {
  return [`${HOME}/.docker/config.json`, JSON.stringify({ auths: {}, currentContext })];
}

interface Machine {
  env?: Record<string, string>;
  files?: [string, string][];
  /** Place → the id of the engine behind it, an error, or other answers. */
  engines?: Record<string, string | Error | RawAnswers>;
}

function linux({ env = {}, files = [], engines = {} }: Machine): Surroundings {
  return machineWith(new Map(files), {
    platform: 'linux',
    env: { XDG_RUNTIME_DIR: '/run/user/1000', ...env },
    homeDirectory: HOME,
    uid: 1000,
    probe: async (connection) => {
      const engine = engines[connectionKey(connection)] ?? socketError('ENOENT');
      if (engine instanceof Error) throw engine;
      return typeof engine === 'string' ? engineAnswers(engine, { info: { SecurityOptions: null } }) : engine;
    },
  });
}

const found = (machine: Machine, preferId?: string): Promise<RuntimeReport> =>
  discoverRuntimes({ surroundings: linux(machine), ...(preferId === undefined ? {} : { preferId }) });

function find(report: RuntimeReport, id: string) {
  const attempt = report.attempts.find((each) => each.id === id);
  if (attempt === undefined) throw new Error(`no attempt ${id}`);
  return attempt;
}

const DEFAULT = '/var/run/docker.sock';
const FAR_PEM = `${HOME}/.docker/contexts/tls/${createHash('sha256').update('far').digest('hex')}/docker`;

describe('where runtimes are looked for', () => {
  it('follows the order of the Docker CLI on Linux, then lists everything else', () => {
    const ids = listCandidates(
      linux({
        env: { DOCKER_HOST: 'tcp://10.0.0.5:2375', DOCKER_CONTEXT: 'second' },
        files: [
          config('first'),
          contextFile('another', 'tcp://10.0.0.9:2375'),
          contextFile('first', 'unix:///first.sock'),
          contextFile('second', 'unix:///second.sock'),
        ],
      }),
    ).map(({ id }) => id);
    expect(ids).toEqual([
      'env:DOCKER_HOST',
      'context:second',
      'context:first',
      'context:default',
      'context:another',
      'socket:/run/user/1000/docker.sock',
      'socket:/home/ada/.docker/run/docker.sock',
      'socket:/home/ada/.docker/desktop/docker.sock',
      'socket:/run/user/1000/podman/podman.sock',
      'socket:/run/podman/podman.sock',
      'socket:/home/ada/.rd/docker.sock',
      'socket:/home/ada/.colima/default/docker.sock',
      'socket:/home/ada/.lima/docker/sock/docker.sock',
    ]);
  });

  it('knows the sockets of the Mac, and finds profiles with names of their own', () => {
    const ids = listCandidates({
      ...fixtureMachine('colima-profile'),
      env: { TMPDIR: '/var/folders/9k/T/' },
    }).map(({ id }) => id);
    expect(ids).toEqual([
      'context:default',
      'context:colima-runhub',
      'socket:/Users/ada/.docker/run/docker.sock',
      'socket:/Users/ada/.orbstack/run/docker.sock',
      'socket:/Users/ada/.colima/default/docker.sock',
      'socket:/Users/ada/.rd/docker.sock',
      'socket:/Users/ada/.lima/docker/sock/docker.sock',
      'socket:/var/folders/9k/T/podman/podman-machine-default-api.sock',
      'socket:/Users/ada/.local/share/containers/podman/machine/podman.sock',
    ]);
  });

  it('knows the pipes of Windows', () => {
    const candidates = listCandidates(fixtureMachine('docker-desktop-windows-wsl2'));
    expect(candidates.map(({ id, endpoint }) => [id, endpoint])).toEqual([
      ['context:desktop-linux', 'npipe:////./pipe/dockerDesktopLinuxEngine'],
      ['context:default', 'npipe:////./pipe/docker_engine'],
      ['socket://./pipe/podman-machine-default', 'npipe:////./pipe/podman-machine-default'],
    ]);
  });

  it.each(['', '{"currentContext": ', '[1, 2]'])('copes with a config.json that says “%s”', async (text) => {
    const files: [string, string][] = [[`${HOME}/.docker/config.json`, text]];
    const report = await found({ files, engines: { [DEFAULT]: 'a' } });
    expect(report.chosenId).toBe('context:default');
  });

  it('reads contexts from DOCKER_CONFIG', () => {
    const [path, text] = contextFile('work', 'unix:///work.sock');
    const files: [string, string][] = [[path.replace(`${HOME}/.docker`, '/etc/d'), text]];
    const candidates = listCandidates(linux({ env: { DOCKER_CONFIG: '/etc/d' }, files }));
    expect(candidates.map(({ id }) => id)).toContain('context:work');
  });

  const SKIPPED = contextFile('far', 'tcp://far.example:2376', { SkipTLSVerify: true });
  it.each<[string, Record<string, string>, [string, string][], object]>([
    [
      'certificates and SkipTLSVerify of the context',
      { DOCKER_CONTEXT: 'far' },
      [SKIPPED, [`${FAR_PEM}/ca.pem`, 'CA'], [`${FAR_PEM}/cert.pem`, 'CERT'], [`${FAR_PEM}/key.pem`, 'KEY']],
      { ca: 'CA', cert: 'CERT', key: 'KEY', verify: false },
    ],
    // Docker's CLI does the same.
    ['SkipTLSVerify without certificates', { DOCKER_CONTEXT: 'far' }, [SKIPPED], { verify: false }],
    [
      'DOCKER_TLS_VERIFY for DOCKER_HOST',
      { DOCKER_HOST: 'tcp://far.example', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/certs' },
      [['/certs/ca.pem', 'CA']],
      { ca: 'CA', verify: true },
    ],
  ])('takes %s', (_, env, files, tls) => {
    const [candidate] = listCandidates(linux({ env, files }));
    expect(candidate?.connection).toEqual({ kind: 'tcp', host: 'far.example', port: 2376, tls });
  });
});

describe('why a place is not usable', () => {
  it.each([
    [socketError('ENOENT'), 'ENDPOINT_MISSING'],
    [socketError('ECONNREFUSED'), 'ENDPOINT_REFUSED'],
    [socketError('EACCES'), 'ENDPOINT_FORBIDDEN'],
    [socketError('EPERM'), 'ENDPOINT_FORBIDDEN'],
    [socketError('ETIMEDOUT'), 'ENDPOINT_TIMEOUT'],
    [socketError('ECONNRESET'), 'ENDPOINT_BAD_ANSWER'],
    [new BadAnswer('HTTP 503: starting'), 'ENDPOINT_BAD_ANSWER'],
    [{ version: 'hello', info: {} }, 'ENDPOINT_BAD_ANSWER'],
    [{ ...engineAnswers('a'), info: { message: 'not yet' } }, 'ENDPOINT_BAD_ANSWER'],
  ])('%s', async (engine, code) => {
    const report = await found({ engines: { [DEFAULT]: engine } });
    expect(find(report, 'context:default')).toMatchObject({ usable: false, passport: null, error: { code } });
    expect(report.chosenId).toBeNull();
    expect(runtimeReportSchema.parse(report)).toEqual(report);
  });

  it('an endpoint that can not be used', async () => {
    const host = 'ssh://-oProxyCommand=x';
    const report = await found({ env: { DOCKER_HOST: host } });
    expect(find(report, 'env:DOCKER_HOST').error).toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
      params: { endpoint: host },
    });
  });

  it.each([
    ['not JSON', '{'],
    ['no endpoint', '{"Name": "work"}'],
    ['empty', ''],
  ])('a context whose file is broken: %s', async (_, text) => {
    const [path] = contextFile('work', '');
    const report = await found({ files: [config('work'), [path, text]], engines: { [DEFAULT]: 'a' } });
    expect(find(report, 'context:work').error).toMatchObject({
      code: 'CONTEXT_BROKEN',
      params: { name: 'work' },
    });
    expect(report.chosenId).toBe('context:default');
  });

  it('a context that may not be read', async () => {
    const machine = linux({ files: [contextFile('work', 'unix:///w.sock')] });
    const readText = (path: string): string | undefined => {
      if (!path.endsWith('meta.json')) return machine.readText(path);
      throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
    };
    const report = await discoverRuntimes({ surroundings: { ...machine, readText } });
    const broken = report.attempts.find(({ error }) => error?.code === 'CONTEXT_BROKEN');
    expect(broken?.error?.message).toContain('permission denied');
    expect(broken?.error?.message).not.toContain(HOME);
  });

  it('a context that DOCKER_CONTEXT names but nobody made', async () => {
    const report = await found({ env: { DOCKER_CONTEXT: 'typo' } });
    expect(find(report, 'context:typo').error?.code).toBe('CONTEXT_BROKEN');
  });
});

describe('which one is used', () => {
  const both = { '/first.sock': 'one', [DEFAULT]: 'two' };
  const files = [config('first'), contextFile('first', 'unix:///first.sock')];

  it.each([
    ['the current context before the default', undefined, 'context:first'],
    ['the preferred one', 'context:default', 'context:default'],
    [
      'the current context where the preferred one is unusable',
      'socket:/run/podman/podman.sock',
      'context:first',
    ],
  ])('%s', async (_, preferId, chosen) => {
    const { chosenId, attempts } = await found({ files, engines: both }, preferId);
    expect([chosenId, ...attempts.flatMap((one) => (one.chosen ? one.id : []))]).toEqual([chosen, chosen]);
  });

  it.each([{ DOCKER_HOST: 'unix:///gone.sock' }, { DOCKER_CONTEXT: 'gone' }])(
    'none when the environment names an unusable one: %s',
    async (env) => {
      const report = await found({ env, files, engines: both });
      expect(report.chosenId).toBeNull();
      expect(find(report, 'context:default').usable).toBe(true);
      const preferred = await found({ env, files, engines: both }, 'context:default');
      expect(preferred.chosenId).toBe('context:default');
    },
  );

  it('recognizes one engine behind two sockets', async () => {
    const report = await found({ files, engines: { '/first.sock': 'same', [DEFAULT]: 'same' } });
    expect(find(report, 'context:first').sameAs).toEqual(['context:default']);
    expect(find(report, 'context:default').sameAs).toEqual(['context:first']);
  });

  it('asks a place once for each set of certificates, whatever names lead to it', async () => {
    const machine = linux({
      env: { DOCKER_HOST: `unix://${DEFAULT}` },
      files: [
        ...['far', 'plain'].map((name) => contextFile(name, 'tcp://far.example:2376')),
        [`${FAR_PEM}/ca.pem`, 'CA'],
      ],
      engines: { [DEFAULT]: '' },
    });
    const probe = vi.fn(machine.probe);
    const report = await discoverRuntimes({ surroundings: { ...machine, probe } });
    const asked = probe.mock.calls.map(([connection]) => connection);
    expect(asked.filter((one) => connectionKey(one) === DEFAULT)).toHaveLength(1);
    expect(asked.filter(({ kind }) => kind === 'tcp')).toHaveLength(2);
    expect(find(report, 'env:DOCKER_HOST').sameAs).toEqual(['context:default']);
  });

  it('a remote engine is not native, whatever it runs on', async () => {
    const far = { env: { DOCKER_HOST: 'tcp://10.0.0.5:2375' }, engines: { '10.0.0.5:2375': 'far' } };
    const runtime = find(await found(far), 'env:DOCKER_HOST').passport?.runtime;
    expect(runtime).toMatchObject({ fileSharing: 'unknown', hostNetworking: false, remote: true });
  });
});

describe('time', () => {
  afterEach(() => void vi.useRealTimers());

  const FAR = { files: [contextFile('far', 'ssh://ada@far.example')] };
  const CURRENT = { files: [config('vm'), contextFile('vm', 'unix:///vm.sock')] };
  it.each<[string, string, string, Machine, string?]>([
    ['another machine five', 'context:far', '5', FAR],
    ['another machine that was asked for eleven', 'context:far', '11', FAR, 'context:far'],
    ['a place that was asked for eleven', 'context:default', '11', {}, 'context:default'],
    [
      'a place that DOCKER_HOST names eleven',
      'env:DOCKER_HOST',
      '11',
      { env: { DOCKER_HOST: 'unix:///vm.sock' } },
    ],
    ['the current context eleven', 'context:vm', '11', CURRENT],
  ])(
    'gives %s, and every other place three seconds, all at once',
    async (_, id, seconds, machine, preferId) => {
      vi.useFakeTimers();
      const surroundings = { ...linux(machine), probe: () => new Promise<RawAnswers>(() => undefined) };
      const looking = discoverRuntimes({ surroundings, ...(preferId === undefined ? {} : { preferId }) });
      await vi.advanceTimersByTimeAsync(Number(seconds) * 1000);
      const { attempts } = await looking;
      expect(attempts.map(({ error }) => [error?.code, error?.params['seconds']])).toEqual(
        attempts.map((one) => ['ENDPOINT_TIMEOUT', one.id === id ? seconds : '3']),
      );
    },
  );

  it.each([
    [4, true],
    [12, false],
  ])('gives one that answers a ping eleven: after %i s it is usable: %s', async (after, isUsable) => {
    vi.useFakeTimers();
    const machine = linux({ engines: { [DEFAULT]: 'slow' } });
    const probe: Surroundings['probe'] = async (connection, signal, onAlive) => {
      const answers = await machine.probe(connection, signal, onAlive);
      onAlive();
      await new Promise((resolve) => setTimeout(resolve, after * 1000));
      return answers;
    };
    const looking = discoverRuntimes({ surroundings: { ...machine, probe } });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(find(await looking, 'context:default').usable).toBe(isUsable);
  });
});

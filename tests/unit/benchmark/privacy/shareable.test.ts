import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import type { OwnNames } from '../../../../src/benchmark/privacy/redactor.ts';
import { shareable as shareableOf } from '../../../../src/benchmark/privacy/shareable.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { msg } from '../../../../src/shared/message.ts';
import { PRIVATE_KINDS, type PrivateKind } from '../../../../src/shared/model/sharing.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { StorageSpec } from '../../../../src/shared/model/server-spec.ts';
import { clientEngineOf } from '../../../../src/shared/preset/preset-of-plan.ts';
import { makeEvidence, onEngine, sampleState, withHost } from '../../builders.ts';

const sample = sampleState();
const [id = ''] = Object.keys(sample.servers);
const facts = sample.servers[id]?.facts;
if (!facts) throw new Error('no facts');
const said = (text: string): Pick<RunState, 'notices'> => ({
  notices: [{ code: 'X', message: plain(text) }],
});

/** A shared run into which its user includes nothing private. */
const shareable = (state: RunState, names: OwnNames = {}): RunState => shareableOf(state, names).state;

function cleaned(line: string, names: OwnNames = {}): string {
  const logged: RunState = { ...sample, servers: { [id]: { facts: null, log: [line] } } };
  return shareable(logged, names).servers[id]?.log[0] ?? '';
}

describe('shareable', () => {
  it.each([
    ['mkdir /home/anna/.local/share/whalemark/bind/1', 'mkdir <path>'],
    ["open '/Users/anna/My/file': denied", "open '<path>': denied"],
    ["open 'D:\\Acme GmbH\\my file': denied", "open '<path>': denied"],
    ['C:\\Users\\anna\\AppData\\Local\\whalemark is full', '<path> is full'],
    ['\\\\server\\share\\x is gone', '<path> is gone'],
    ['connect unix:///run/user/1000/docker.sock', 'connect <endpoint>'],
    ['at tcp://10.1.2.3:2375: refused', 'at <endpoint>: refused'],
    ['ssh://anna@build.example.com:22', '<endpoint>'],
    ['dial tcp 10.0.4.17:443: i/o timeout', 'dial tcp <address>:443: i/o timeout'],
    ['at fe80::1c2d:3eff:fe4f:5a6b and 2001:db8::8a2e:370:7334', 'at <address> and <address>'],
    ['Get "https://registry.corp.example:5000/v2/": EOF', 'Get "https://<host>/v2/": EOF'],
    ['annas-laptop says hello', '<private> says hello', 'annas-laptop'],
    ['login as anna failed', 'login as <private> failed', 'anna'],
  ])('takes out: %s', (line, expected, name = '') => {
    expect(cleaned(line, { user: name })).toBe(expected);
    expect(cleaned(line, { host: name })).toBe(expected);
  });

  it.each([
    'datadir is /var/lib/mysql, socket /var/run/mysqld/mysqld.sock',
    "mysqld: ready for connections. Version: '8.0.42-0ubuntu0.24.04.1' port: 3306",
    'kernel 5.15.153.1-microsoft-standard-WSL2',
    'bound to 127.0.0.1:49160 and 0.0.0.0 and ::1',
    'Get "https://registry-1.docker.io/v2/": no such host',
    '2026-06-01T09:30:00.123456Z 0 [System] [MY-010931] InnoDB: 12:30:45, id 8a:7f:00:11:22:33',
  ])('leaves: %s', (line) => {
    expect(cleaned(line, { user: 'anna' })).toBe(line);
  });

  it('takes a name only as a whole word, and no name that everybody has', () => {
    for (const user of ['anna', 'root', 'docker', 'x']) {
      expect(cleaned('savannah, root and docker', { user })).toBe('savannah, root and docker');
    }
  });

  it('drops the context’s name, the bind folder and variables that name the host', () => {
    const variables = { hostname: 'annas-laptop', datadir: '/x/', innodb_flush_method: 'O_DIRECT' };
    const shared = shareable({
      ...sample,
      plan: { ...onEngine(sample.plan, { runtimeId: 'context:annas-laptop' }), bindRoot: '/srv/b' },
      servers: { [id]: { facts: { ...facts, variables }, log: [] } },
    });
    expect(shared.plan.engines[0].runtimeId).toBe('context');
    expect(shared.plan.bindRoot).toBeNull();
    expect(shared.servers[id]?.facts?.variables).toEqual({ innodb_flush_method: 'O_DIRECT' });
  });

  it('leaves out the names of variables that a command may have read', () => {
    const names = 'SHOP_OF_ACME_DSN';
    const evidence = [msg('task.variables', { names: 'DB_HOST' }), msg('task.otherVariables', { names })];
    const error = new BenchmarkError('COMMAND_ELSEWHERE', {}, { evidence }).toData();
    const shared = shareable({ ...sample, error });
    expect(shared.error?.evidence).toEqual(evidence.slice(0, 1));
  });

  it('takes a place that an error names out of everything else too', () => {
    const place = '/opt/elsewhere/bind';
    const error = new BenchmarkError('BIND_UNWRITABLE', { path: place, reason: 'EROFS' }).toData();
    const shared = shareable({ ...sample, error, ...said(`${place} was read-only`) });
    expect(JSON.stringify(shared)).not.toContain('elsewhere');
    expect(shared.notices[0]?.message.text).toBe('<private> was read-only');
    expect(shared.error?.message).toBe(
      new BenchmarkError('BIND_UNWRITABLE', { path: '<private>', reason: 'EROFS' }).message,
    );
  });

  it('has no names of a project’s init scripts, and no statement of one that failed', () => {
    const initScripts = [{ name: 'annas-customers.sql.gz', ms: 5 }];
    const reason = 'ERROR 1064 (42000) at line 3: You have an error near Anna';
    const params = { script: 'annas-customers.sql.gz', reason };
    const [trial, ...trials] = sample.trials;
    if (trial === undefined) throw new Error('a run without trials');
    const shared = shareable({
      ...sample,
      error: new BenchmarkError('INIT_SCRIPT_FAILED', params).toData(),
      trials: [{ ...trial, evidence: makeEvidence({ initScripts }) }, ...trials],
    });
    expect(shared.error?.params).toEqual({
      script: 'script 1.sql.gz',
      reason: 'ERROR 1064 (42000) at line 3',
    });
    expect(shared.trials[0]?.evidence?.initScripts?.[0]?.name).toBe('script 1.sql.gz');
    expect(JSON.stringify(shared)).not.toMatch(/anna/i);
  });

  it('says that other programs and containers ran, but not which', () => {
    const [trial] = sample.trials;
    const busy = { kind: 'container-busy', windows: null, value: 0.9, name: 'annas-shop-db-1' } as const;
    const shared = shareable(withHost(sample, { [trial?.id ?? '']: [busy] }));
    expect(shared.trials[0]?.evidence?.host?.conditions).toEqual([{ ...busy, name: null }]);
    expect(JSON.stringify(shared)).not.toContain('annas-shop');
  });

  it('keeps the place of a program on the host here, and where it is installed', () => {
    const { plan } = sample;
    const native = { flavor: 'mysql', version: '8.4.5' } as const;
    const sharedOf = (binary: string, text: string): RunState => {
      const configs = plan.configs.map((config) => ({ ...config, native: { ...native, binary } }));
      return shareable({ ...sample, plan: { ...plan, configs }, ...said(text) });
    };
    const program = '/opt/of-anna/mysql/bin/mysqld';
    const shared = sharedOf(program, `basedir is /opt/of-anna/mysql, program ${program}`);
    expect(shared.plan.configs[0]?.native).toEqual({ ...native, binary: '<path>' });
    expect(JSON.stringify(shared)).not.toContain('anna');
    // Usual places are no secret.
    const usual = sharedOf('/usr/sbin/mysqld', 'socket in /usr/share');
    expect(usual.notices[0]?.message.text).toBe('socket in /usr/share');
  });

  const onStorage = (storage: StorageSpec): RunState => ({
    ...sample,
    plan: { ...sample.plan, scenarios: sample.plan.scenarios.map((one) => ({ ...one, storage })) },
  });

  it('takes out what a volume mounts, and from where, but not how', () => {
    const nfs = onStorage({
      kind: 'nfs',
      nfs: { address: 'nas.corp', path: '/export/mysql', version: '4.2', soft: true, lock: false },
    });
    const error = new BenchmarkError(
      'VOLUME_MOUNT_FAILED',
      { storage: 'NFS volume', reason: 'mount nas.corp:/export/mysql: permission denied' },
      { evidence: ['type=nfs4 device=:/export/mysql o=addr=nas.corp,rw,soft'] },
    ).toData();
    const shared = shareable({ ...nfs, error });
    expect(shared.plan.scenarios[0]?.storage.nfs).toEqual({
      address: '<private>',
      path: '/<private>',
      version: '4.2',
      soft: true,
      lock: false,
    });
    expect(JSON.stringify([shared.error, shared.plan])).not.toMatch(/nas\.corp|\/export/);
    const options = onStorage({
      kind: 'volume-options',
      options: {
        type: 'cifs',
        device: '//nas/anna',
        o: 'soft,username=anna,password=x y,vers=3.0,addr=10.1.2.3',
      },
    });
    const cleanedOptions = shareable({ ...options, ...said('mount //nas/anna on nas as anna') });
    expect(cleanedOptions.plan.scenarios[0]?.storage.options).toEqual({
      type: 'cifs',
      device: '<private>',
      o: 'soft,<private>,<private>,vers=3.0,<private>',
    });
    expect(JSON.stringify([cleanedOptions.plan, cleanedOptions.notices])).not.toMatch(
      /anna|10\.1\.2\.3|password|\bnas\b/,
    );
  });

  it('keeps of a storage what it knows, and nothing that it does not', () => {
    const known: StorageSpec = { kind: 'tmpfs', name: 'small', sizeMiB: 64 };
    const later: StorageSpec & { folder: string } = { ...known, folder: 'gondor' };
    const [scenario] = shareable(onStorage(later)).plan.scenarios;
    expect(scenario?.storage).toStrictEqual(known);
  });

  it('leaves a tmpfs by options as it is: there is nothing behind it', () => {
    const storage: StorageSpec = {
      kind: 'volume-options',
      options: { type: 'tmpfs', device: 'tmpfs', o: 'size=512m,noatime' },
    };
    const state = onStorage(storage);
    expect(shareable(state).plan.scenarios).toEqual(state.plan.scenarios);
  });

  it('takes places and names out of the user’s server options, there and where the server lists them', () => {
    const own = ['--init-file=/data/anna.sql', '--report-host=gondor', '--innodb-io-capacity=2000'];
    const ours = ['--datadir=/var/lib/mysql', '--socket=/tmp/mysql.sock'];
    const shared = shareable({
      ...sample,
      plan: { ...sample.plan, configs: sample.plan.configs.map((config) => ({ ...config, options: own })) },
      servers: { [id]: { facts: { ...facts, options: [...ours, ...own] }, log: [] } },
    });
    const cleaned = ['--init-file=<path>', '--report-host=<private>', '--innodb-io-capacity=2000'];
    expect(shared.plan.configs[0]?.options).toEqual(cleaned);
    expect(shared.servers[id]?.facts?.options).toEqual([
      '--datadir=/var/lib/mysql',
      '--socket=<path>',
      ...cleaned,
    ]);
  });

  it('does not name the context of the client’s engine', () => {
    const clientEngine = { runtimeId: 'context:rack-7', passport: sample.plan.engines[0].passport };
    const shared = shareable({ ...sample, plan: { ...sample.plan, clientEngine }, ...said('on rack-7') });
    expect(JSON.stringify(shared)).not.toContain('rack-7');
    expect(shared.plan.clientEngine).toEqual({ ...clientEngine, runtimeId: 'context' });
    expect(clientEngineOf(shared.plan)).toBeUndefined();
  });

  it('leaves measurements, passport and names as they are, and the given state untouched', () => {
    const before = JSON.stringify(sample);
    const { trials, plan } = shareable(sample, { user: 'anna' });
    expect(trials).toEqual(sample.trials);
    expect(plan.engines[0].passport).toEqual(sample.plan.engines[0].passport);
    expect(plan.scenarios).toEqual(sample.plan.scenarios);
    expect(JSON.stringify(sample)).toBe(before);
  });

  describe('with kinds that are included', () => {
    const place = '/home/anna/mysql';
    const message = `gondor: anna at 10.0.4.17 keeps ${place} behind tcp://10.0.4.18:2375, mysql://app:geheim@10.0.4.19/x`;
    const [trial] = sample.trials;
    const busy = { kind: 'container-busy', windows: null, value: 0.9, name: 'annas-shop-db-1' } as const;
    const state = withHost(
      {
        ...sample,
        plan: { ...onEngine(sample.plan, { runtimeId: 'context:lothlorien' }), bindRoot: place },
        ...said(message),
      },
      { [trial?.id ?? '']: [busy] },
    );
    const names = { host: 'gondor', user: 'anna' };
    const SHOWN: Record<PrivateKind, RegExp> = {
      host: /gondor/,
      user: /\banna\b/,
      path: /\/mysql"|\/mysql behind/,
      address: /10\.0\.4\.17/,
      endpoint: /tcp:\/\//,
      context: /lothlorien/,
      program: /annas-shop-db-1/,
    };

    it.each(PRIVATE_KINDS)('shows what was ticked and nothing else: %s', (kind) => {
      const all = JSON.stringify(shareableOf(state, names, [kind]));
      for (const other of PRIVATE_KINDS) {
        expect(SHOWN[other].test(all), other).toBe(other === kind);
      }
      expect(all).not.toContain('geheim');
    });

    it('leaves all of them out by default, and counts how often', () => {
      const { state: shared, sharing } = shareableOf(state, names);
      for (const kind of PRIVATE_KINDS) {
        expect(SHOWN[kind].test(JSON.stringify(shared)), kind).toBe(false);
        expect(sharing.leftOut[kind] ?? 0, kind).toBeGreaterThan(0);
      }
      expect(sharing.included).toEqual([]);
      expect(sharing.leftOut.secret).toBe(1);
    });

    it('never shows a password, not even with everything ticked', () => {
      const { state: shared, sharing } = shareableOf(state, names, PRIVATE_KINDS);
      expect(shared.notices[0]?.message.text).toBe(message.replace('geheim', '<password>'));
      expect(sharing).toEqual({ included: [...PRIVATE_KINDS], leftOut: { secret: 1 } });
      const mount = onStorage({
        kind: 'volume-options',
        options: { type: 'cifs', device: '//nas/x', o: 'username=anna,password=geheim,addr=10.1.2.3' },
      });
      const options = shareableOf(mount, {}, PRIVATE_KINDS).state.plan.scenarios[0]?.storage.options;
      expect(options).toEqual({ type: 'cifs', device: '//nas/x', o: '<private>,<private>,addr=10.1.2.3' });
    });

    it('shows a folder without whose it is', () => {
      const { state: shared } = shareableOf(state, names, ['path']);
      expect(shared.plan.bindRoot).toBe('/home/<private>/mysql');
    });
  });
});

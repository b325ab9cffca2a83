import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importSysbench } from '../../../../src/benchmark/import/sysbench-text.ts';
import { parsePreset } from '../../../../src/benchmark/presets/preset-file.ts';
import { storageText } from '../../../../src/shared/words/labels.ts';
import { findFileSharing } from '../../../../src/benchmark/runtime/discovery/passport.ts';
import { unsupportedReason } from '../../../../src/benchmark/target/support.ts';
import { BenchmarkError, ERROR_PARAMS, toErrorData, type ErrorCode } from '../../../../src/shared/errors.ts';
import { createTranslator, ENGLISH } from '../../../../src/shared/words/i18n.ts';
import core from '../../../../src/shared/words/locales/zh-CN/core.json' with { type: 'json' };
import {
  DRIVER_KINDS,
  PATH_KINDS,
  RUNTIME_KINDS,
  STORAGE_KINDS,
} from '../../../../src/shared/model/names.ts';
import { storageSpecSchema } from '../../../../src/shared/model/storage-spec.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';
import { errorText, spoken } from '../../../../src/shared/words/spoken.ts';
import { machineWith } from '../../benchmark/runtime/fixture-machine.ts';
import { makePassport } from '../../plan-builder.ts';

const chinese = (text: string): string => spoken(text, 'zh-CN');
const NFS = { kind: 'volume-options', nfs: { address: 'nas', path: '/export' } };
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(chinese(text));

describe('spoken', () => {
  it('says what it knows, with the values inside, which it says, too', () => {
    expect(chinese('named volume')).toBe('命名卷');
    expect(chinese('MariaDB 10.1.2 is too old; 10.5 is the least.')).toBe(
      'MariaDB 10.1.2 太旧；至少需要 10.5。',
    );
    expect(
      chinese('There is no other node for the client: the swarm has 1 node, 0 of them ready for tasks.'),
    ).toBe('没有其他节点可供客户端使用：该 swarm 有 1 个节点，其中 0 个可以接受任务。');
  });

  it('leaves what it does not know as it is, and everything in English', () => {
    for (const text of ['', 'My own scenario', 'Too many connections', 'constructor']) {
      expect(chinese(text)).toBe(text);
    }
    expect(spoken('named volume', 'en')).toBe('named volume');
  });

  it('keeps every value, and no sentence is taken for another one', () => {
    for (const [english, said] of Object.entries(core)) {
      const value = (name: string): string => (name === 'count' ? '7' : `«${name}»`);
      const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => value(name));
      expect(chinese(fill(english)), english).toBe(fill(said));
    }
  });
});

describe('what the core says', () => {
  it('is known: every reason of the support matrix', () => {
    const runtimes = [
      { remote: true },
      { rootless: true, kind: 'docker-rootless' as const, hostNetworking: false },
      { vm: true, kind: 'docker-desktop' as const, hostNetworking: false },
      { vm: true, kind: 'colima' as const, hostNetworking: false },
      { kind: 'podman' as const },
      { selinux: true },
    ];
    const workloads = [{}, { kind: 'tpcc' }, { kind: 'oltp_complex' }, { distribution: 'zipfian' }].map(
      (one) => workloadSchema.parse(one),
    );
    const reasons = runtimes.flatMap((runtime) =>
      STORAGE_KINDS.flatMap((kind) =>
        PATH_KINDS.flatMap((path) =>
          DRIVER_KINDS.flatMap((driver) =>
            workloads.flatMap((workload) => {
              const needs = { storage: { kind }, path, driver, workload, clientNode: undefined };
              return unsupportedReason(makePassport(runtime), needs) ?? [];
            }),
          ),
        ),
      ),
    );
    expect(new Set(reasons).size).toBeGreaterThan(12);
    expect([...new Set(reasons)].filter((reason) => !isChinese(reason))).toEqual([]);
  });

  it('is known: the name of every storage', () => {
    const names = [
      ...STORAGE_KINDS.map((kind) => storageText({ kind }, ENGLISH)),
      storageText(storageSpecSchema.parse(NFS), ENGLISH),
    ];
    // The one that Chinese writes as it is.
    expect(names.filter((name) => !isChinese(name))).toEqual(['tmpfs']);
  });

  it('is known: where the file sharing was learnt, or why it was not', () => {
    const info = { OperatingSystem: '', Architecture: '', NCPU: 1, MemTotal: 1, Driver: '' };
    const files = new Map([['/h/Library/Group Containers/group.com.docker/settings-store.json', '{}']]);
    const said = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
      RUNTIME_KINDS.flatMap((kind) =>
        [{}, { vm: true }, { remote: true }].flatMap((where) =>
          ['6.8.0', '5.15.153.1-microsoft-standard-WSL2'].map((KernelVersion) => {
            const machine = machineWith(files, {
              platform,
              env: {},
              homeDirectory: '/h',
              uid: 1000,
              host: { ...makePassport().host, platform },
              probe: () => Promise.reject(new Error('nobody asks')),
            });
            const places = { vm: false, remote: false, ...where };
            return findFileSharing(machine, { kind, name: '' }, { ...info, KernelVersion }, places).evidence;
          }),
        ),
      ),
    );
    expect(new Set(said).size).toBeGreaterThan(9);
    expect([...new Set(said)].filter((text) => !isChinese(text))).toEqual([]);
    expect(isChinese("Rancher Desktop's settings.json")).toBe(true);
  });

  it('is known: every remark on an import, and every reason not to import', () => {
    const folder = 'tests/fixtures/sysbench';
    const said = readdirSync(folder)
      .filter((name) => name.endsWith('.txt'))
      .flatMap((name) => {
        try {
          return importSysbench(readFileSync(join(folder, name), 'utf8')).flatMap(({ notes }) =>
            notes.map(({ message }) => message),
          );
        } catch (error) {
          const { params, evidence } = toErrorData(error);
          return [params['reason'] ?? '', ...evidence];
        }
      });
    expect(new Set(said).size).toBeGreaterThan(8);
    expect([...new Set(said)].filter((text) => !isChinese(text))).toEqual([]);
  });

  it('is known: what is wrong with a preset', () => {
    const wrong = `whalemark: 2
id: Wrong Id
name: ''
server: { options: [bad], settings: { bufferPool: lots, redoLogMiB: 1 } }
storages: { small: { kind: bind-mount, sizeMiB: 5 }, nfs: { kind: volume-options } }
workload: { kind: nothing, tables: many }
ramp: [4, 2]
schedule: { rounds: 0 }
colour: blue
`;
    const valid = `whalemark: 1
id: x
name: x
question: x
baseline: nowhere
ramp: [1, 2]
connections: 4
rate: 5
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 5 }
grid: { storages: [nowhere, native], paths: [published-port] }
`;
    const alike = `whalemark: 1
id: x
name: x
question: x
server: { image: 'mysql:8.4' }
servers: { default: {}, a: {}, a.b: {} }
regimes: { c: { name: C, bufferPool: 64 }, b.c: { name: B, bufferPool: 128 } }
baseline: a.named-volume.published-port
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 5 }
grid: { servers: [a, a.b], storages: [named-volume], paths: [published-port] }
`;
    const found = [wrong, valid, alike].map((text) => {
      try {
        parsePreset(text, 'x');
        return [];
      } catch (error) {
        return toErrorData(error).evidence;
      }
    });
    const problems = found.flat();
    expect(problems.length).toBeGreaterThan(14);
    expect(found[2]).toHaveLength(1);
    expect(
      problems.map((line) => line.replace(/^line \d+: /, '')).filter((line) => !isChinese(line)),
    ).toEqual([]);
  });
});

describe('errorText', () => {
  const t = createTranslator('zh-CN');

  it('says each error with its values', () => {
    for (const code of Object.keys(ERROR_PARAMS) as ErrorCode[]) {
      const params = Object.fromEntries(ERROR_PARAMS[code].map((name) => [name, `«${name}»`]));
      const { message, hint } = errorText(new BenchmarkError(code, params).toData(), t);
      for (const name of ERROR_PARAMS[code]) expect(message + hint, code).toContain(`«${name}»`);
      expect(message + hint).not.toContain('{{');
    }
  });

  it('says words of the core among the values', () => {
    const error = new BenchmarkError('STORAGE_FULL', { storage: 'bind mount', reason: 'ENOSPC' });
    expect(errorText(error.toData(), t).message).toBe('存储“绑定挂载”已满：ENOSPC');
  });

  it('keeps the words of an error that it does not know, or that lacks a value', () => {
    const data = {
      code: 'STORAGE_FULL',
      message: 'It is full.',
      hint: 'Empty it.',
      evidence: [],
      params: {},
    };
    expect(errorText(data, t)).toMatchObject({ message: 'It is full.', hint: 'Empty it.' });
    expect(errorText({ ...data, code: 'NEW_ONE' }, t).message).toBe('It is full.');
  });

  it('is what the error says itself in English', () => {
    const data = new BenchmarkError('BUSY').toData();
    expect(errorText(data, createTranslator('en'))).toEqual({
      message: data.message,
      hint: data.hint,
      evidence: [],
    });
  });
});

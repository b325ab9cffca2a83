import { beforeEach, describe, expect, it } from 'vitest';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { diagnoseServer, diagnoseStorage, exitOf } from '../../../../src/benchmark/servers/failure-doctor.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const diagnose = (line: string, more: { exitCode?: number; oomKilled?: boolean } = {}) =>
  diagnoseServer({
    exitCode: more.exitCode ?? 1,
    oomKilled: more.oomKilled ?? false,
    log: ['2026-01-01 [Note] Starting', line],
    phase: 'start',
    storage: 'bind mount',
  });

it('names a user’s script that ended a first start, with the error of the client', () => {
  const end = { exitCode: 1, oomKilled: false, phase: 'start', storage: '' } as const;
  const failed = (said: string[]) => diagnoseServer({ ...end, log: [], script: { name: 'a.sql', said } });
  const reason = 'ERROR 1064 (42000) at line 3: You have an error';
  expect(failed(['loading', reason, ''])).toMatchObject({
    ...{ code: 'INIT_SCRIPT_FAILED', evidence: [], params: { script: 'a.sql', reason } },
  });
  expect(failed(['./a.sh: line 2: nope: not found']).params['reason']).toContain('nope');
});

describe('failure doctor', () => {
  it.each([
    ["chown: changing ownership of '/var/lib/mysql/': Operation not permitted", 'DATADIR_OWNERSHIP'],
    ["[ERROR] Can't start server : Bind on unix socket: Operation not permitted", 'DATADIR_OWNERSHIP'],
    ['[ERROR] InnoDB: io_setup() failed with EAGAIN after 5 attempts.', 'SERVER_AIO'],
    ['[ERROR] InnoDB: Cannot initialize AIO sub-system', 'SERVER_AIO'],
    ['[Warning] InnoDB: Failed to set O_DIRECT on file ./ibdata1: OPEN: Invalid argument', 'SERVER_ODIRECT'],
    ['[ERROR] InnoDB: Unable to lock ./ibdata1 error: 37', 'SERVER_LOCK'],
    ["[ERROR] Can't start server: Bind on TCP/IP port. Got error: 98: Address already in use", 'PORT_TAKEN'],
    [
      "[ERROR] [MY-010262] [Server] Can't start server: Bind on TCP/IP port: Address already in use",
      'PORT_TAKEN',
    ],
    [
      "[ERROR] Different lower_case_table_names settings for server ('2') and data dictionary ('0').",
      'SERVER_CASE',
    ],
    [
      '[ERROR] InnoDB: The Auto-extending data file is of a different size 0 pages than specified',
      'SERVER_CORRUPTED',
    ],
    ['ERROR: mysqld failed while attempting to check config', 'SERVER_BAD_OPTION'],
    ["[ERROR] unknown variable 'innodb-frobnicate=1'.", 'SERVER_BAD_OPTION'],
    ['[ERROR] InnoDB: Cannot allocate memory for the buffer pool', 'SERVER_OUT_OF_MEMORY'],
    ['[ERROR] InnoDB: preallocating 113246208 bytes for file ./d/t.ibd failed with error 28', 'STORAGE_FULL'],
    ['[Warning] mariadbd: io_uring_queue_init() failed with errno 1', 'SERVER_EXITED'],
    ['[ERROR] InnoDB: Table test/t in error number 1932', 'SERVER_EXITED'],
    ['something nobody has seen before', 'SERVER_EXITED'],
  ])('%s → %s', (line, code) => {
    const error = diagnose(line);
    expect(error.code).toBe(code);
    expect(error.hint).not.toBe('');
    expect(error.evidence).toContain(line);
  });

  it.each([
    [1, 'DATADIR_OWNERSHIP'],
    [5, 'STORAGE_REFUSED'],
    [11, 'SERVER_LOCK'],
    [13, 'DATADIR_OWNERSHIP'],
    [22, 'STORAGE_REFUSED'],
    [28, 'STORAGE_FULL'],
    [30, 'STORAGE_REFUSED'],
    [37, 'SERVER_LOCK'],
    [95, 'STORAGE_REFUSED'],
    [116, 'STORAGE_REFUSED'],
    [122, 'STORAGE_FULL'],
    [135, 'SERVER_EXITED'],
  ])('knows the operating system’s error %i, however the server words it', (number, code) => {
    for (const line of [
      `[ERROR] [MY-012592] [InnoDB] Operating system error number ${number} in a file operation.`,
      `[ERROR] InnoDB: Operating system error number ${number} in a file operation.`,
      `[ERROR] InnoDB: Error number ${number} means 'something'`,
      `[ERROR] Aborting: OS error: ${number}`,
      `mysqld: Can't create/write to file '/var/lib/mysql/x' (OS errno ${number} - something)`,
      `mysqld: Can't create/write to file '/var/lib/mysql/x' (Errcode: ${number} "something")`,
      `mysqld: Error on write of './x' (errno: ${number} - something)`,
    ])
      expect([line, diagnose(line).code]).toEqual([line, code]);
  });

  it('believes the engine when it says that memory ran out, or else names the exit code and the phase', () => {
    expect(diagnose('whatever', { exitCode: 137, oomKilled: true }).code).toBe('SERVER_OUT_OF_MEMORY');
    expect(diagnose('whatever', { exitCode: 137 }).message).toContain('137 during start');
  });

  it('tells a full storage from one that is refused, and leaves a lost engine alone', () => {
    expect(diagnoseStorage(new Error('write /x: no space left on device'), 'tmpfs').code).toBe(
      'STORAGE_FULL',
    );
    expect(diagnoseStorage(new Error('no such device'), 'named volume').code).toBe('STORAGE_REFUSED');
    const lost = new BenchmarkError('ENGINE_LOST');
    expect(diagnoseStorage(lost, 'tmpfs')).toBe(lost);
  });
});

describe('a container that somebody pauses', () => {
  let runtime: FakeRuntime;
  let id: string;
  beforeEach(async () => {
    runtime = new FakeRuntime();
    id = await runtime.containers.create({ name: 'c', image: 'i', labels: {} });
    await runtime.containers.start(id);
  });

  it('is told of at once, though it would never end', async () => {
    const ended = exitOf(runtime, id);
    runtime.pause(id);
    await expect(ended).rejects.toMatchObject({ code: 'CONTAINER_PAUSED' });
  });

  it('is not made up where the engine tells no events', async () => {
    runtime.failing.set(`waitPaused ${id}`, new BenchmarkError('ENGINE_REFUSED'));
    const ended = exitOf(runtime, id);
    runtime.exit(id, 3);
    expect(await ended).toBe(3);
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownBindRoots, rememberBindRoot } from '../../../../src/benchmark/run/bind-roots.ts';
import { makePlan } from '../../../../src/benchmark/run/plan.ts';
import { checkPreset } from '../../../../src/benchmark/run/preset-file.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'whalemark-unit-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const planned = async (dataDir: string, fields: object = {}) => {
  const runtime = new FakeRuntime();
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.10' } });
  const preset = {
    ...{ whalemark: 1, id: 'a', name: 'A', question: 'A?', server: { image: 'mysql:8.4' } },
    grid: { storages: ['named-volume', 'bind-mount'], paths: ['published-port'] },
    baseline: 'named-volume.published-port',
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
    ...fields,
  };
  return makePlan({
    ...{ preset: checkPreset(preset, 'a'), mode: 'full', runtime, imageNamedByUser: false, dataDir },
    clientImageFiles: { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') },
    referenceDir: 'assets/reference',
  });
};

describe('a plan with bind mounts', () => {
  it('has them where the data folder can hold them', async () => {
    const { scenarios, excluded } = await planned(dataDir);
    expect([scenarios.map(({ id }) => id).sort(), excluded]).toEqual([
      ['bind-mount.published-port', 'named-volume.published-port', 'named-volume.published-port~again'],
      [],
    ]);
  });

  it('leaves them out, with the reason, where our own folder can’t be used', async () => {
    const { scenarios, excluded } = await planned('/proc/nowhere');
    expect(scenarios.map(({ storage }) => storage.kind)).not.toContain('bind-mount');
    expect(excluded).toEqual([
      expect.objectContaining({
        id: 'bind-mount.published-port',
        reason: expect.stringMatching(/system \(\/proc\).*bindRoot/),
      }),
    ]);
  });

  it('is refused where the preset names a folder that can’t be used, with the field', async () => {
    const theirs = join(dataDir, 'theirs');
    await mkdir(theirs);
    await writeFile(join(theirs, 'thesis.doc'), 'x');
    const error: unknown = await planned(dataDir, { bindRoot: theirs }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BenchmarkError);
    expect(error).toMatchObject({
      code: 'BIND_REFUSED',
      message: expect.stringMatching(/bindRoot, --bind-root.*thesis\.doc/),
    });
  });

  it('does not look at a folder that no scenario needs', async () => {
    const grid = { storages: ['named-volume'], paths: ['published-port'] };
    expect((await planned(dataDir, { bindRoot: '/etc', grid })).excluded).toEqual([]);
  });
});

describe('folders that presets named', () => {
  it('are remembered behind our own, the latest first, each once', async () => {
    const own = join(dataDir, 'bind');
    expect(await knownBindRoots(dataDir)).toEqual([own]);
    for (const root of ['/a', '/b', '/a', own]) await rememberBindRoot(dataDir, root);
    expect(await knownBindRoots(dataDir)).toEqual([own, '/a', '/b']);
  });

  it('are at most fifty, and a file that is broken is none', async () => {
    for (let index = 0; index < 60; index++) await rememberBindRoot(dataDir, `/r${index}`);
    expect((await knownBindRoots(dataDir)).length).toBe(51);
    await writeFile(join(dataDir, 'bind-roots.json'), '["/a"');
    expect(await knownBindRoots(dataDir)).toEqual([join(dataDir, 'bind')]);
    await rememberBindRoot(dataDir, '/b');
    expect(await knownBindRoots(dataDir)).toEqual([join(dataDir, 'bind'), '/b']);
  });
});

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overrideFor } from '../../../src/benchmark/compose/checked-override.ts';
import { readProject, type Project } from '../../../src/benchmark/compose/read-project.ts';
import { writeOverride } from '../../../src/benchmark/compose/write-override.ts';
import { openDatabase } from '../../../src/benchmark/database/open-database.ts';
import { optionsOf } from '../../../src/shared/compose/override.ts';
import type {
  DatabaseChange,
  DatabaseOverride,
  DatabaseService,
} from '../../../src/shared/model/database.ts';
import { effectiveOptions } from '../../../src/shared/options/option.ts';
import { newFolder, sharedFolder } from '../../helpers/folders.ts';
import { IS_FULL } from '../../helpers/tier.ts';

const PROJECTS = [
  ...['blog', 'cloud', 'shop', 'shop-tests', 'erp', 'spring'],
  ...['network-storage', 'moved', 'dockerfiles', 'devcontainer', 'wp-env'],
];
const FOLDER = sharedFolder();
const POOL = ['--innodb-buffer-pool-size=1024M', '--innodb-redo-log-capacity=1024M'];
const CHANGES = {
  storage: ['named-volume', 'bind-mount', 'tmpfs'],
  path: ['host-network', 'user-bridge'],
  server: ['without-limits', 'relaxed-flush', 'no-binary-log', 'large-pool', 'newest-version'],
} as const;

async function opened(fixture: string) {
  const folder = join(FOLDER, fixture);
  cpSync(resolve('tests/fixtures/compose', fixture), folder, { recursive: true });
  const { source } = await openDatabase({ target: folder });
  const project = await readProject({ files: source.files });
  const made = (service: DatabaseService, change: DatabaseChange) =>
    overrideFor({
      ...{ source, project, service, change },
      ...{ measured: service.image, isVm: false, poolOptions: POOL },
    });
  const [service] = project.services;
  if (service === undefined) throw new Error(fixture);
  return { source, project, service, made, overrideOf: (change: DatabaseChange) => made(service, change) };
}

/** One to three changes, at most one of storage and path each. */
const CHANGE = fc
  .record({
    storage: fc.option(fc.constantFrom(...CHANGES.storage)),
    path: fc.option(fc.constantFrom(...CHANGES.path), { freq: 1 }),
    server: fc.subarray([...CHANGES.server], { maxLength: 2 }),
  })
  .map(({ storage, path, server }): DatabaseChange => {
    const parts = [
      ...(storage === null ? [] : [`storage.${storage}`]),
      ...(path === null ? [] : [`path.${path}`]),
      ...server.map((one) => `server.${one}`),
    ].slice(0, 3);
    const [factor = 'server', level = 'relaxed-flush'] = (parts[0] ?? 'server.relaxed-flush').split('.');
    if (parts.length < 2) return { factor: factor as DatabaseChange['factor'], level };
    return { factor: 'together', level: parts.join('+') };
  });

const projects = new Map<string, ReturnType<typeof opened>>();
const once = (fixture: string): ReturnType<typeof opened> => {
  const known = projects.get(fixture) ?? opened(fixture);
  projects.set(fixture, known);
  return known;
};

function has(after: DatabaseService, before: DatabaseService, part: string): void {
  const [factor, level = ''] = part.split('.');
  if (factor === 'storage') expect(after.storage.kind).toBe(level);
  else if (factor === 'path') expect(after.path.kind).toBe(level);
  else if (level === 'without-limits') expect(after.limits).toEqual({ cpus: null, memoryMiB: null });
  else if (level === 'newest-version') expect(after.image).not.toBe(before.image);
  else {
    const options = effectiveOptions(after.options);
    for (const [name, value] of effectiveOptions(optionsOf({ factor: 'server', level }, POOL))) {
      expect(options.get(name), name).toBe(value);
    }
  }
}

describe('an override', () => {
  it('is what was measured, and leaves the rest, after Compose has merged it with the project', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PROJECTS), CHANGE, async (fixture, change) => {
        const { source, project, service, overrideOf } = await once(fixture);
        const override = await overrideOf(change);
        if ('refusal' in override) {
          // Compose itself refuses no override, and merges each as meant.
          expect(override.refusal.code).not.toMatch(/otherMerge|refused\.compose/);
          return;
        }
        made += 1;
        await writeOverride({ ...override, change, gain: { value: 1.5, low: 1.4, high: 1.6 } });
        const merged = await readProject({ files: [...source.files, override.file] });
        const after = merged.services.find(({ name }) => name === service.name);
        if (after === undefined) throw new Error('gone');
        for (const part of change.factor === 'together'
          ? change.level.split('+')
          : [`${change.factor}.${change.level}`]) {
          has(after, service, part);
        }
        const others = ({ around }: Project) => ({ ...around.model.services, [service.name]: null });
        expect(others(merged)).toEqual(others(project));
        // A secret is only shown where the user's own file has it, and then with a note.
        const isNamed = override.notes.some(({ code }) => code === 'override.note.secret');
        expect(isNamed || !/canary/i.test(override.text)).toBe(true);
      }),
      // The Dockerfile of this project already has the change.
      {
        numRuns: IS_FULL ? 60 : 30,
        examples: [['dockerfiles', { factor: 'server', level: 'no-binary-log' }]],
      },
    );
    expect(made).toBeGreaterThan(10);
  });

  it('says where to change the user’s own lines for good', async () => {
    const { source, overrideOf } = await once('cloud');
    const override = await overrideOf({ factor: 'storage', level: 'named-volume' });
    expect(override).toMatchObject({ lines: [{ file: source.files[0] }] });
  });

  it('repeats the command of the Dockerfile, which it replaces', async () => {
    const { project, made } = await once('dockerfiles');
    const service = project.services.find(({ name }) => name === 'command') ?? expect.fail();
    const override = await made(service, { factor: 'server', level: 'large-pool' });
    const command =
      'command:\n      - mysqld\n      - --innodb-flush-log-at-trx-commit=2\n      - --skip-log-bin\n';
    expect(override).toMatchObject({ text: expect.stringContaining(command) as string });
  });

  it('starts with the name that a dev container’s project has', async () => {
    const { overrideOf } = await once('devcontainer');
    const override = await overrideOf({ factor: 'storage', level: 'tmpfs' });
    const start = expect.stringContaining('--project-name devcontainer_devcontainer up') as string;
    expect(override).toMatchObject({ moves: { there: expect.arrayContaining([start]) as string[] } });
  });

  it.each(['workflow', 'wp-env-new'])('is none for what isn’t Compose’s: %s', async (fixture) => {
    const { overrideOf } = await once(fixture);
    expect(await overrideOf({ factor: 'server', level: 'relaxed-flush' })).toMatchObject({
      refusal: { code: 'override.refused.noFiles' },
    });
  });

  it('is next to DDEV’s own files, which DDEV adds by itself', async () => {
    const { source, overrideOf } = await once('ddev');
    const folder = dirname(source.files[0] ?? '');
    expect(await overrideOf({ factor: 'server', level: 'relaxed-flush' })).toMatchObject({
      file: join(folder, 'mysql/whalemark.cnf'),
      text: expect.stringContaining('[mysqld]\ninnodb-flush-log-at-trx-commit=2\n') as string,
      moves: { there: expect.arrayContaining(['ddev restart']) as string[] },
    });
    expect(await overrideOf({ factor: 'server', level: 'without-limits' })).toMatchObject({
      file: join(folder, 'docker-compose.whalemark.yaml'),
    });
  });
});

describe('the file of an override', () => {
  const override = (file: string): DatabaseOverride => ({
    ...{ change: { factor: 'path', level: 'host-network' }, gain: { value: 2, low: null, high: null } },
    ...{ file, text: 'services: {}\n', lines: [], moves: { there: [], back: [] }, notes: [] },
  });

  it('replaces only one of Whalemark’s', async () => {
    const file = join(newFolder(), 'compose.whalemark.yaml');
    await writeOverride(override(file));
    await writeOverride(override(file));
    writeFileSync(file, 'services: {}\n');
    await expect(writeOverride(override(file))).rejects.toMatchObject({ code: 'OVERRIDE_NOT_WRITTEN' });
  });

  it('is refused where the project’s folder can’t be written', async () => {
    const folder = join(newFolder(), 'a file');
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, '');
    await expect(writeOverride(override(join(folder, 'compose.whalemark.yaml')))).rejects.toMatchObject({
      code: expect.stringMatching(/OVERRIDE_NOT_WRITTEN|UNREADABLE/) as string,
    });
  });
});

import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import type * as os from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { renderExport, renderPreview, writeExport } from '../../../../src/benchmark/report/export.ts';
import { loadPngAssets, renderPng, type PngAssets } from '../../../../src/benchmark/report/png.ts';
import { box, text } from '../../../../src/shared/pictures/card-node.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import { reportAssets } from '../../../../scripts/build/report-assets.mjs';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../../../src/shared/model/sharing.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { StorageSpec } from '../../../../src/shared/model/server-spec.ts';
import { parseResult } from '../../../../src/benchmark/store/result-file.ts';
import { onEngine, sampleState } from '../../builders.ts';
import { pngAssets } from './states.ts';
import { sharedFolder } from '../../../helpers/folders.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  hostname: () => 'gondor',
  userInfo: () => ({ username: 'anna' }),
}));

const NFS: StorageSpec = {
  kind: 'nfs',
  nfs: { address: 'minas-tirith', path: '/palantir', version: '4.2', soft: false, lock: true },
};

const directory = sharedFolder();
let assets: PngAssets;
beforeAll(async () => {
  assets = await pngAssets();
});

/** The text of an export, or that of a picture's parts. */
async function exportedText(format: ExportFormat, state: RunState): Promise<string> {
  if (format === 'png') {
    const shared = shareable(state).state;
    return JSON.stringify(shareCard(shared, analyze(shared), createTranslator('en')));
  }
  return Buffer.from(await renderExport(format, state, () => Promise.resolve(assets))).toString('utf8');
}

const size = (png: Uint8Array): [number, number] => {
  const bytes = Buffer.from(png);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

describe('renderExport', () => {
  it('gives JSON that opens as a result', async () => {
    const state = sampleState();
    const bytes = await renderExport('json', state, () => Promise.resolve(assets));
    const back = parseResult(Buffer.from(bytes).toString('utf8'), 'export.json');
    expect(back.trials).toEqual(state.trials);
    expect(back.plan.configs).toEqual(state.plan.configs);
  });

  it('draws a picture of 2400 × 1350', async () => {
    expect(size(await renderExport('png', sampleState(), () => Promise.resolve(assets)))).toEqual([
      2400, 1350,
    ]);
  });

  it('gives nothing private away, in no format', async () => {
    const state = sampleState();
    const secret = '/data/of-anna/bind';
    const error = new BenchmarkError(
      'BIND_UNWRITABLE',
      { path: secret, reason: `EACCES: permission denied, mkdir '${secret}/x'` },
      { evidence: ['/home/anna/.docker/run/docker.sock on gondor', 'anna: dial tcp 192.168.178.20:2376'] },
    ).toData();
    const talkative: RunState = {
      ...state,
      plan: {
        ...onEngine(state.plan, { runtimeId: 'context:annas-laptop' }),
        bindRoot: secret,
        configs: state.plan.configs.map((config) => ({
          ...config,
          options: ['--init-file=/data/of-anna/init.sql', '--report-host=gondor'],
          native: { binary: '/opt/of-anna/sbin/mysqld', flavor: 'mysql', version: '8.4.5' },
        })),
        scenarios: state.plan.scenarios.map((one) => ({ ...one, storage: NFS })),
      },
      error,
      trials: state.trials.map((trial) => (trial.status === 'failed' ? { ...trial, error } : trial)),
      notices: [
        ...state.notices,
        { code: 'X', message: plain(`See ${secret}/whalemark; minas-tirith:/palantir is full.`) },
      ],
    };
    for (const format of EXPORT_FORMATS) {
      const text = await exportedText(format, talkative);
      for (const word of ['anna', '192.168.178.20', 'gondor', 'minas-tirith', 'palantir']) {
        expect(text.includes(word), `${word} in ${format}`).toBe(false);
      }
    }
  });
});

it('renderPreview shows all of what will be written, or its beginning word for word', async () => {
  const drawn = () => Promise.resolve(assets);
  for (const format of EXPORT_FORMATS) {
    const bytes = Buffer.from(await renderExport(format, sampleState(), drawn));
    const { content: preview } = await renderPreview(format, sampleState(), drawn);
    if (preview.kind === 'picture') {
      expect(preview.url).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
      continue;
    }
    const text = bytes.toString('utf8');
    expect(text.startsWith(preview.text), format).toBe(true);
    expect(preview.isWhole, format).toBe(preview.text.length === text.length);
    expect(preview.isWhole, format).toBe(!['json', 'csv-per-second'].includes(format));
  }
});

describe('renderPng', () => {
  const card = box('card', [text('label', 'Whale '.repeat(20))]);

  it('sets texts in the given fonts', async () => {
    const [own, other] = await Promise.all(
      [assets.fonts, []].map((fonts) => renderPng(card, { ...assets, fonts })),
    );
    expect(Buffer.from(own ?? []).equals(Buffer.from(other ?? []))).toBe(false);
  });

  it('reads its assets from the folder that the build fills', async () => {
    const folder = join(directory, 'assets');
    await mkdir(folder);
    for (const { from, to } of reportAssets()) await writeFile(join(folder, to), await readFile(from));
    const loaded = await loadPngAssets(folder);
    expect(loaded.fonts).toHaveLength(2);
    expect(Buffer.from(await renderPng(card, loaded))).toEqual(Buffer.from(await renderPng(card, assets)));
    await expect(loadPngAssets(join(directory, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});

describe('writeExport', () => {
  it('overwrites only what it was told to, and keeps its mode', async () => {
    const path = join(directory, 'summary.csv');
    await writeExport(path, Buffer.from('one'), { overwrite: false });
    await chmod(path, 0o600);
    await expect(writeExport(path, Buffer.from('two'), { overwrite: false })).rejects.toMatchObject({
      code: 'EXPORT_EXISTS',
      params: { files: path },
    });
    expect(await readFile(path, 'utf8')).toBe('one');
    await writeExport(path, Buffer.from('two'), { overwrite: true });
    expect(await readFile(path, 'utf8')).toBe('two');
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('never replaces what is not a regular file', async () => {
    const fifo = join(directory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const [file, link] = [join(directory, 'linked'), join(directory, 'link')];
    await writeFile(file, 'mine');
    await symlink(file, link);
    for (const path of [fifo, link, directory]) {
      for (const overwrite of [false, true]) {
        await expect(writeExport(path, Buffer.from('x'), { overwrite })).rejects.toMatchObject({
          code: 'EXPORT_FAILED',
        });
      }
    }
    expect((await lstat(fifo)).isFIFO()).toBe(true);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('refuses with EXPORT_FAILED, leaves the old file and no half of a new one', async () => {
    const missing = join(directory, 'not', 'there.csv');
    await expect(writeExport(missing, Buffer.from('x'), { overwrite: true })).rejects.toMatchObject({
      code: 'EXPORT_FAILED',
      params: { reason: expect.stringContaining('ENOENT') as string },
    });
    const folder = join(directory, 'folder');
    await mkdir(join(folder, 'full'), { recursive: true });
    await expect(writeExport(folder, Buffer.from('x'), { overwrite: true })).rejects.toMatchObject({
      code: 'EXPORT_FAILED',
    });
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await readdir(folder)).toEqual(['full']);
  });
});

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadEvent } from '../../../../../src/benchmark/load/load-client.ts';
import { openSysbenchLoad } from '../../../../../src/benchmark/load/sysbench/run.ts';
import { buildSpec } from './fixtures.ts';
import { newFolder } from '../../../../helpers/folders.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('PATH', `${folder}/bin`);
});
afterEach(() => void vi.unstubAllEnvs());

const sliceOf = (
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
  { warmupMs, durationMs, ...spec } = buildSpec(),
) => openSysbenchLoad(spec).slice({ warmupMs, durationMs }, on, signal);

describe('a slice of sysbench', () => {
  it('says that there is no sysbench, and leaves nothing behind', async () => {
    const run = sliceOf(() => undefined, new AbortController().signal);
    await expect(run).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      params: { reason: 'this client has no sysbench' },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('does nothing when it is stopped already', async () => {
    const events: unknown[] = [];
    const stopped = new AbortController();
    stopped.abort();
    const run = sliceOf((event) => events.push(event), stopped.signal);
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
    expect(events).toEqual([]);
  });

  it('kills a sysbench that does not end when it is told to', async () => {
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    const connected = String.raw`printf '@whalemark {"type":"connected","cpu":0}\n'`;
    const stubborn = `#!/bin/sh\ntrap '' TERM\n${connected}\nwhile :; do read x < /dev/zero; done\n`;
    await writeFile(join(folder, 'sysbench'), stubborn, { mode: 0o755 });
    const stop = new AbortController();
    const on = (event: LoadEvent): void => {
      if (event.type === 'phase' && event.phase === 'measure') stop.abort();
    };
    const run = sliceOf(on, stop.signal, buildSpec({ connections: 1 }));
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
    expect(await readdir(folder)).toEqual(['sysbench']);
  });
});

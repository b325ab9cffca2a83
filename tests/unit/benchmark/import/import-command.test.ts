import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { importedRunSchema } from '../../../../src/shared/model/imported.ts';
import { exitCodeOf } from '../../../../src/cli/exit-codes.ts';
import { toErrorData } from '../../../../src/shared/errors.ts';
import { fixture, FIXTURES } from './fixtures.ts';

// Hoisted: the terminal learns where its data folder is when it is loaded, which must not have happened in another file.
const home = await vi.hoisted(async () => {
  const [{ mkdtemp }, { tmpdir }, { join }] = [
    await import('node:fs/promises'),
    await import('node:os'),
    await import('node:path'),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-import-'));
  vi.stubEnv('WHALEMARK_HOME', folder);
  return folder;
});

describe('whalemark import', () => {
  let command: (argv: string[]) => Promise<number>;
  const printed = { out: '', err: '' };

  beforeAll(async () => {
    ({ runCommand: command } = await import('../../../../src/cli/program.ts'));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function run(...argv: string[]): Promise<number> {
    printed.out = printed.err = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
      printed.out += String(part);
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
      printed.err += String(part);
      return true;
    });
    try {
      return await command(['import', ...argv]);
    } finally {
      vi.restoreAllMocks();
    }
  }

  it('prints a table and what must be known, and stores nothing', async () => {
    const file = join(home, 'two.txt');
    await writeFile(file, `${fixture('0.5')}\n${fixture('1.0-real-plain').replaceAll('1.0.20', '1.0.19')}`);
    expect(await run(file)).toBe(0);
    const lines = printed.out.split('\n');
    expect(lines[0]).toMatch(/^Run +Threads +TPS +QPS +/);
    expect(lines[1]).toMatch(/^1\. oltp, 4 threads +4 +213 +4,258 +.*p95: 27\.5 ms .* 3 /);
    expect(printed.out).toMatch(/^2\. .*: .*row ID/m);
    expect(await readdir(home)).not.toContain('runs');
  });

  it('--json prints the runs', async () => {
    expect(await run(`${FIXTURES}/0.4-experiment-5-host.txt`, '--json')).toBe(0);
    const { runs } = z.strictObject({ runs: z.array(importedRunSchema) }).parse(JSON.parse(printed.out));
    expect(runs).toMatchObject([{ tps: 433.04, ignoredErrors: 53 }]);
  });

  it('- reads standard input', async () => {
    const stdin = Readable.from([Buffer.from(fixture('0.5'))]) as typeof process.stdin;
    const real = Object.getOwnPropertyDescriptor(process, 'stdin');
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    try {
      expect(await run('-', '--json')).toBe(0);
    } finally {
      if (real !== undefined) Object.defineProperty(process, 'stdin', real);
    }
    expect(JSON.parse(printed.out)).toMatchObject({ runs: [{ tps: 212.92, ignoredErrors: 3 }] });
  });

  it('an unreadable text is wrong usage', async () => {
    const error = toErrorData(await run(`${FIXTURES}/1.0-real-fatal.txt`).catch((thrown: unknown) => thrown));
    expect(error.code).toBe('IMPORT_UNREADABLE');
    expect(exitCodeOf(error)).toBe(2);
    const missing = toErrorData(await run('none.txt').catch((thrown: unknown) => thrown));
    expect(missing.message).toContain('the file doesn’t exist');
    expect(exitCodeOf(missing)).toBe(2);
    expect(printed.out).toBe('');
  });

  it('asks for a file', async () => {
    await expect(run()).rejects.toThrow(/file/);
  });
});

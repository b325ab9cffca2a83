import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { exitCodeOf } from '../../../../src/cli/exit-codes.ts';
import { runCommand } from '../../../../src/cli/program.ts';
import { toErrorData } from '../../../../src/shared/errors.ts';

const FIXTURES = 'tests/fixtures/sysbench';
const PLAIN = `${FIXTURES}/1.0-real-plain.txt`;

function fixture(name: string): string {
  return readFileSync(`${FIXTURES}/${name}.txt`, 'utf8');
}

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
  const printed = { out: '', err: '' };

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
      return await runCommand(['import', ...argv]);
    } finally {
      vi.restoreAllMocks();
    }
  }

  async function runWith(stdin: Iterable<Buffer>): Promise<number> {
    const real = Object.getOwnPropertyDescriptor(process, 'stdin');
    Object.defineProperty(process, 'stdin', { value: Readable.from(stdin), configurable: true });
    try {
      return await run('-', '--json');
    } finally {
      if (real !== undefined) Object.defineProperty(process, 'stdin', real);
    }
  }

  async function refused(source: string): Promise<ReturnType<typeof toErrorData>> {
    const error = toErrorData(await run(source).catch((thrown: unknown) => thrown));
    expect(error.code).toBe('IMPORT_UNREADABLE');
    expect(exitCodeOf(error)).toBe(2);
    expect(printed.out).toBe('');
    return error;
  }

  it('prints a table and what must be known, and stores nothing', async () => {
    const file = join(home, 'two.txt');
    const [cut = ''] = fixture('1.0-real-intervals').split('SQL statistics');
    await writeFile(file, `${fixture('0.5')}\n${cut}`);
    expect(await run(file)).toBe(0);
    const lines = printed.out.split('\n');
    expect(lines[0]).toMatch(/^Run +Threads +TPS +QPS +/);
    expect(lines[1]).toMatch(/^1\. oltp +4 +213 +4,258 +18\.8 ms +p95: 27\.5 ms +143 ms +3 +0 +30 s +0\.5$/);
    expect(lines[2]).toMatch(/^2\. run +4 +\d+ +– +– +– +– +– +– +– +1\.0\.20$/);
    expect(printed.out).toMatch(/^2\. run: .*mean of the interval lines/m);
    expect(await readdir(home)).not.toContain('runs');
  });

  it('- reads standard input, whose parts break anywhere', async () => {
    const bytes = Buffer.from(fixture('0.5').replace('oltp.lua', 'µ oltp.lua'));
    const cut = bytes.indexOf('µ') + 1;
    expect(await runWith([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(0);
    expect(JSON.parse(printed.out)).toMatchObject({ runs: [{ tps: 212.92, ignoredErrors: 3 }] });
  });

  it('reads what Windows PowerShell redirects into a file', async () => {
    const file = join(home, 'redirected.txt');
    await writeFile(file, Buffer.from(`\uFEFF${readFileSync(PLAIN, 'utf8')}`, 'utf16le'));
    await run(PLAIN, '--json');
    const plain = printed.out;
    expect(await run(file, '--json')).toBe(0);
    expect(printed.out).toBe(plain);
  });

  it('refuses what is no output, is missing, or is a folder', async () => {
    await refused(`${FIXTURES}/1.0-real-fatal.txt`);
    expect((await refused('none.txt')).message).toContain('the file doesn’t exist');
    expect((await refused(home)).message).toContain('it is a folder');
  });

  it('refuses what is too large', async () => {
    const endless = (function* () {
      for (;;) yield Buffer.alloc(2 ** 22);
    })();
    await expect(runWith(endless)).rejects.toThrow(/larger than 64 MiB/);
  });
});

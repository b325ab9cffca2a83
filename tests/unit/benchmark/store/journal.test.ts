import { readJournal } from '../../../helpers/journals.ts';
import { writeSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Journal, scanJournal, type Write } from '../../../../src/benchmark/store/journal.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { newFolder } from '../../../helpers/folders.ts';

const events: RunEvent[] = [
  { type: 'trial-started', at: 1, trialId: 'r1.ä' },
  { type: 'server-log', at: 2, serverId: 's', lines: ['line one\nwith a break'] },
  { type: 'run-finished', at: 3, outcome: 'completed', error: null },
];
const onward: RunEvent = { type: 'run-continued', at: 9, from: 3, owner: 'next' };

let directory: string;
let path: string;
beforeEach(() => {
  directory = newFolder();
  path = join(directory, 'journal.ndjson');
});

async function written(): Promise<Buffer> {
  const journal = await Journal.create(path, 'owner');
  for (const event of events) await journal.append(event);
  await journal.close();
  return readFile(path);
}

describe('journal', () => {
  it('keeps events in the order of appending, and leaves out one that comes after its end', async () => {
    const journal = await Journal.create(path, 'owner');
    // Nothing waits in between: the journal keeps the order.
    await Promise.all(events.map((event) => journal.append(event)));
    await journal.close();
    await journal.append(onward);
    expect(await readJournal(path)).toEqual({ owner: 'owner', events, torn: false });
  });

  it('reads whatever is whole when cut at any byte, and goes on behind it', async () => {
    const bytes = await written();
    const headerEnd = bytes.indexOf('\n');
    for (let length = headerEnd; length <= bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      const lines = bytes.subarray(headerEnd + 1, length).filter((byte) => byte === 0x0a).length;
      const scanned = await scanJournal(path, () => undefined);
      const read = await readJournal(path);
      // A line that only lacks its line break is whole already.
      expect([lines, lines + 1]).toContain(read?.events.length);
      expect(read?.events).toEqual(events.slice(0, read?.events.length));
      const cut = bytes[length - 1] !== 0x0a && read?.events.length === lines && length > headerEnd;
      expect(read?.torn).toBe(cut);

      if (scanned === undefined) throw new Error('a journal was expected');
      const journal = await Journal.goOn(path, scanned.end);
      await journal.append(onward);
      await journal.close();
      expect(await readJournal(path)).toEqual({
        owner: 'next',
        events: [...(read?.events ?? []), onward],
        torn: false,
      });
    }
  });

  it('is none without its whole header', async () => {
    const bytes = await written();
    for (let length = 0; length < bytes.indexOf('\n'); length++) {
      await writeFile(path, bytes.subarray(0, length));
      expect(await readJournal(path)).toBeUndefined();
    }
    await writeFile(path, '{"type":"trial-started"}');
    expect(await readJournal(path)).toBeUndefined();
  });

  it('loses one line to bytes that are no text', async () => {
    await written();
    await appendFile(path, Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    await appendFile(path, `${JSON.stringify(onward)}\n`);
    expect(await readJournal(path)).toEqual({ owner: 'next', events: [...events, onward], torn: true });
  });

  it('ends before a line that never ends', async () => {
    await written();
    const piece = Buffer.alloc(2 ** 20, 'x');
    for (let mebibyte = 0; mebibyte < 66; mebibyte++) await appendFile(path, piece);
    expect(await readJournal(path)).toEqual({ owner: 'owner', events, torn: true });
  });

  it('never overwrites one that is there', async () => {
    await (await Journal.create(path, 'a')).close();
    await expect(Journal.create(path, 'b')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readJournal(path)).toMatchObject({ owner: 'a' });
  });
});

describe('a journal on a full disk', () => {
  /** Takes so many bytes, then none, until there is room again. */
  function disk(): { write: Write; room: number } {
    const one = {
      room: Infinity,
      write: (fd: number, bytes: Uint8Array): number => {
        if (one.room <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        const taken = writeSync(fd, bytes.subarray(0, Math.min(bytes.length, one.room)));
        one.room -= taken;
        return taken;
      },
    };
    return one;
  }

  it('writes what is missing when there is room again, from the very byte on', async () => {
    const whole = await written();
    await rm(path);
    for (let room = 0; room < whole.length - whole.indexOf('\n') - 1; room++) {
      const full = disk();
      const journal = await Journal.create(path, 'owner', full.write);
      full.room = room;
      const [first, second, last] = events as [RunEvent, RunEvent, RunEvent];
      const failed = [first, second].map((event) => journal.append(event).catch((error: unknown) => error));
      expect((await Promise.all(failed)).filter(Boolean).length).toBeLessThanOrEqual(2);
      full.room = Infinity;
      await journal.append(last);
      await journal.close();
      expect(await readFile(path)).toEqual(whole);
      await rm(path);
    }
  });

  it('says so at each event, and at its end', async () => {
    const full = disk();
    const journal = await Journal.create(path, 'owner', full.write);
    full.room = 10;
    await expect(journal.append(onward)).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(journal.append(onward)).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(journal.close()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readJournal(path)).toEqual({ owner: 'owner', events: [], torn: true });
  });

  it('stays an unbroken row when more waits than memory may hold', async () => {
    const full = disk();
    const journal = await Journal.create(path, 'owner', full.write);
    full.room = 0;
    const line = 'x'.repeat(2 ** 20);
    const long = (at: number): RunEvent => ({ type: 'server-log', at, serverId: 's', lines: [line] });
    for (let at = 0; at < 70; at++) await journal.append(long(at)).catch(() => undefined);
    full.room = Infinity;
    await expect(journal.append(onward)).rejects.toThrow(/lost/);
    await journal.close().catch(() => undefined);
    const read = await readJournal(path);
    expect(read?.torn).toBe(false);
    expect(read?.events.map(({ at }) => at)).toEqual(Array.from({ length: 63 }, (_, at) => at));
  });
});

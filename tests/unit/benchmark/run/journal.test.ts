import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal, readJournal } from '../../../../src/benchmark/run/journal.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';

const events: RunEvent[] = [
  { type: 'trial-started', at: 1, trialId: 'r1.ä' },
  { type: 'server-log', at: 2, serverId: 's', lines: ['line one\nwith a break'] },
  { type: 'run-finished', at: 3, outcome: 'completed', error: null },
];

describe('journal', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'whalemark-unit-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('keeps events in the order of appending', async () => {
    const path = join(directory, 'journal.ndjson');
    const journal = await Journal.create(path, 'owner');
    // Not awaited one by one: order is the journal's business.
    await Promise.all(events.map((event) => journal.append(event)));
    await journal.close();
    expect(readJournal(await readFile(path, 'utf8'))).toEqual({ owner: 'owner', events, torn: false });
  });

  it('reads whatever is whole when cut at any byte', async () => {
    const path = join(directory, 'journal.ndjson');
    const journal = await Journal.create(path, 'owner');
    for (const event of events) await journal.append(event);
    await journal.close();
    const bytes = await readFile(path);
    const headerEnd = bytes.indexOf('\n');
    for (let length = headerEnd; length <= bytes.length; length++) {
      const read = readJournal(bytes.subarray(0, length).toString('utf8'));
      const whole = bytes.subarray(headerEnd + 1, length).filter((byte) => byte === 0x0a).length;
      // A line that only lacks its line break is whole already.
      expect([whole, whole + 1]).toContain(read?.events.length);
      expect(read?.events).toEqual(events.slice(0, read?.events.length));
    }
  });

  it('is no journal without its header', () => {
    expect(readJournal('')).toBeUndefined();
    expect(readJournal('{"type":"trial-started"}')).toBeUndefined();
  });

  it('never overwrites one that is there', async () => {
    const path = join(directory, 'journal.ndjson');
    await (await Journal.create(path, 'a')).close();
    await expect(Journal.create(path, 'b')).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

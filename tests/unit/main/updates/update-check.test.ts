import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releasePlaces } from '../../../../src/main/updates/handlers.ts';
import { ReleaseUnknown } from '../../../../src/main/updates/latest-release.ts';
import { isNewer, UpdateCheck, type UpdateSource } from '../../../../src/main/updates/update-check.ts';

const HOUR = 60 * 60_000;

let folder = '';
let file = '';
let now = 0;
let answers: (string | ReleaseUnknown)[] = [];
let asked = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whalemark-updates-'));
  file = join(folder, 'electron', 'updates.json');
  now = 1_800_000_000_000;
  answers = [];
  asked = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(change: Partial<UpdateSource> = {}): UpdateCheck {
  return new UpdateCheck({
    address: 'https://releases.example/latest',
    ownVersion: '0.9.0',
    file,
    latest: () => {
      asked++;
      const answer = answers.shift() ?? '0.9.0';
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    now: () => now,
    ...change,
  });
}

describe('looking for a newer version', () => {
  it('tells of one, also after the next start', async () => {
    answers = ['0.10.0'];
    const newer = { kind: 'newer', askedAt: now, version: '0.10.0', isDismissed: false };
    expect(await check().askIfDue()).toEqual(newer);
    expect(check().state).toEqual(newer);
  });

  it('tells of none when this is the newest', async () => {
    expect(check().state).toEqual({ kind: 'not-asked' });
    expect(await check().askIfDue()).toEqual({ kind: 'newest', askedAt: now });
  });

  it('happens once a day by itself, and at any time when the user asks', async () => {
    await check().askIfDue();
    now += 23 * HOUR;
    await check().askIfDue();
    expect(asked).toBe(1);
    await check().ask();
    expect(asked).toBe(2);
    now += 24 * HOUR;
    await check().askIfDue();
    expect(asked).toBe(3);
  });

  it('happens again when the clock was put back', async () => {
    await check().askIfDue();
    now -= HOUR;
    await check().askIfDue();
    expect(asked).toBe(2);
  });

  it('says no more of a version that was dismissed, but of the next one', async () => {
    answers = ['0.10.0', '0.11.0'];
    const one = check();
    await one.ask();
    expect(one.dismiss()).toMatchObject({ version: '0.10.0', isDismissed: true });
    expect(check().state).toMatchObject({ isDismissed: true });
    expect(await one.ask()).toMatchObject({ version: '0.11.0', isDismissed: false });
  });

  it('says why it is not known, and goes back to what it knew at the next start', async () => {
    answers = ['0.10.0', new ReleaseUnknown('unreachable', 'getaddrinfo ENOTFOUND')];
    const one = check();
    await one.ask();
    expect(await one.ask()).toEqual({ kind: 'failed', askedAt: now, reason: 'unreachable' });
    expect(check().state).toMatchObject({ kind: 'newer', version: '0.10.0' });
  });

  it('does not ask again at every start where nobody answers', async () => {
    answers = [new ReleaseUnknown('unreachable', 'offline')];
    await check().askIfDue();
    expect(check().state).toEqual({ kind: 'not-asked' });
    await check().askIfDue();
    expect(asked).toBe(1);
  });

  it('asks nobody without an address', async () => {
    const one = check({ address: null });
    expect(await one.askIfDue()).toEqual({ kind: 'no-place' });
    expect(await one.ask()).toEqual({ kind: 'no-place' });
    expect(asked).toBe(0);
  });

  it('takes a file that can’t be read for none, and leaves nothing beside it', async () => {
    const other = join(folder, 'broken.json');
    writeFileSync(other, '{"askedAt":');
    const one = check({ file: other });
    expect(one.state).toEqual({ kind: 'not-asked' });
    await one.ask();
    expect(readdirSync(folder)).toEqual(['broken.json']);
  });

  it('goes on where nothing can be written', async () => {
    writeFileSync(join(folder, 'electron'), 'a file where the folder should be');
    answers = ['0.10.0'];
    expect(await check().ask()).toMatchObject({ kind: 'newer' });
  });
});

describe('a version', () => {
  it.each([
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.9.1', '0.9.0', true],
    ['0.9.0', '0.9.0', false],
    ['0.9.0', '0.10.0', false],
    ['0.9.0', '0.9.0-beta.1', false],
  ])('%s is newer than %s: %s', (a, b, expected) => {
    expect(isNewer(a, b)).toBe(expected);
  });
});

describe('where releases are', () => {
  it('is the repository that the program was built for', () => {
    expect(releasePlaces('somebody/whalemark', undefined)).toEqual({
      address: 'https://api.github.com/repos/somebody/whalemark/releases/latest',
      page: 'https://github.com/somebody/whalemark/releases/latest',
    });
  });

  it.each([
    ['', undefined],
    ['', 'https://mirror.example/latest'],
    ['somebody/whalemark', 'off'],
  ])('is nowhere for the repository “%s” with WHALEMARK_RELEASES %s', (repository, override) => {
    expect(releasePlaces(repository, override)).toEqual({ address: null, page: null });
  });

  it.each([
    ['https://mirror.example/latest', 'https://mirror.example/latest'],
    ['http://127.0.0.1:8080/latest', 'http://127.0.0.1:8080/latest'],
    ['http://mirror.example/latest', null],
    ['file:///etc/passwd', null],
    ['http://127.0.0.1.evil.example:80/', null],
  ])('%s may be asked instead: %s', (override, address) => {
    expect(releasePlaces('somebody/whalemark', override).address).toBe(address);
  });
});

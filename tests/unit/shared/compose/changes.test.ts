import { describe, expect, it } from 'vitest';
import { changeId, changeOf, type DatabaseOverride, partsOf } from '../../../../src/shared/model/database.ts';
import { combinationOf, lossesOfChange } from '../../../../src/shared/compose/changes.ts';

const patchOf = (text: string): DatabaseOverride => ({
  change: changeOf(text) ?? { factor: 'server', level: text },
  gain: { value: 1.5, low: 1.4, high: 1.6 },
  ...{ file: 'compose.yaml', text: '', lines: [], moves: { there: [], back: [] }, notes: [] },
});

describe('what can be made together', () => {
  it.each([
    [['storage.named-volume', 'server.large-pool'], 'storage.named-volume+server.large-pool'],
    [
      ['server.without-limits', 'storage.tmpfs', 'storage.named-volume', 'server.large-pool'],
      'server.without-limits+storage.named-volume+server.large-pool',
    ],
    [
      ['storage.bind-mount', 'storage.named-volume', 'path.host-network'],
      'storage.bind-mount+path.host-network',
    ],
    [['storage.named-volume', 'server.relaxed-flush', 'server.no-binary-log'], undefined],
    [['storage.named-volume+server.large-pool'], undefined],
  ])('of %j is %s', (won, expected) => {
    const found = combinationOf(won.map(patchOf));
    expect(found && changeId(found)).toBe(expected);
  });
});

describe('a change', () => {
  it('is read as it is written', () => {
    const text = 'storage.named-volume+server.relaxed-flush';
    const change = changeOf(text);
    expect(change).toEqual({ factor: 'together', level: text });
    expect(change && partsOf(change).map(changeId)).toEqual(text.split('+'));
    expect(change && lossesOfChange(change)).toEqual(['last-second', 'binlog-end']);
  });

  it.each([
    ['storage.tmpfs', ['memory']],
    ['storage.image-layer', ['container']],
    ['storage.bind-mount', []],
    ['server.no-binary-log', ['binary-log']],
    ['server.large-pool', []],
    ['storage.tmpfs+server.relaxed-flush', ['memory', 'last-second', 'binlog-end']],
  ])('to %s may lose %j', (text, losses) => {
    const change = changeOf(text);
    expect(change && lossesOfChange(change)).toEqual(losses);
  });

  it.each(['', 'storage', 'storage.', 'disk.fast', 'together.storage.tmpfs', 'storage.tmpfs+', 'a.b+c.d'])(
    'is none: %j',
    (text) => expect(changeOf(text)).toBeUndefined(),
  );
});

import { describe, expect, it } from 'vitest';
import type { HostSample } from '../../../../src/benchmark/interference/linux-sample.ts';
import { windowConditions } from '../../../../src/benchmark/interference/host-watch.ts';

/** Samples at 10 s, 11 s, …; each step is what grew since the one before. */
function samples(steps: { stolen?: number; stallMs?: number; pages?: number; hot?: number; ms?: number }[]) {
  let last: HostSample = {
    atMs: 10_000,
    cpu: { stolen: 500, total: 100_000 },
    memoryStallUs: 1e6,
    swappedPages: 77,
    throttles: 5,
  };
  const all = [last];
  for (const { stolen = 0, stallMs = 0, pages = 0, hot = 0, ms = 1000 } of steps) {
    last = {
      ...last,
      atMs: last.atMs + ms,
      cpu: { stolen: (last.cpu?.stolen ?? 0) + stolen, total: (last.cpu?.total ?? 0) + ms / 5 },
      memoryStallUs: (last.memoryStallUs ?? 0) + stallMs * 1000,
      swappedPages: (last.swappedPages ?? 0) + pages,
      throttles: (last.throttles ?? 0) + hot,
    };
    all.push(last);
  }
  return all;
}

/** Windows of one second from the first sample on, seen some ms late. */
const windows = (count: number, lateMs = 30) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    beginMs: 10_000 + lateMs + 1000 * index,
    endMs: 11_000 + lateMs + 1000 * index,
  }));

describe('windows and what touched them', () => {
  it('are tied together by time, with the worst that was seen', () => {
    const seen = samples([{}, { stolen: 20 }, {}, { stolen: 60, pages: 300 }, { stallMs: 50, hot: 2 }]);
    expect(windowConditions(seen, windows(5))).toEqual([
      { kind: 'steal', windows: [1, 3], value: 0.3, name: null },
      { kind: 'memory-pressure', windows: [4], value: 0.05, name: null },
      { kind: 'swapping', windows: [3], value: 300, name: null },
      { kind: 'thermal', windows: [4], value: 2, name: null },
    ]);
  });

  it('are not worth a word below the limits', () => {
    expect(windowConditions(samples([{ stolen: 9, stallMs: 49, pages: 255 }]), windows(1))).toEqual([]);
  });

  it('leave out what was before the first window and after the last', () => {
    const seen = samples([{ stolen: 100 }, {}, { stolen: 100 }]);
    expect(windowConditions(seen, windows(1, 1000))).toEqual([]);
  });

  it('are all touched by what one late sample shows', () => {
    const seen = samples([{ ms: 3000, stolen: 100 }, {}]);
    expect(windowConditions(seen, windows(4))).toMatchObject([{ kind: 'steal', windows: [0, 1, 2] }]);
  });
});

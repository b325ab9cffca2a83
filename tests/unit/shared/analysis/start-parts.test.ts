import { describe, expect, it } from 'vitest';
import { type PartOfStart, partsOfStart } from '../../../../src/shared/analysis/start-parts.ts';
import type { StartPart } from '../../../../src/shared/model/evidence.ts';
import { ONE_LOOK } from '../../../../src/shared/statistics/spending.ts';

type Parts = Record<StartPart, number>;

const PARTS: Parts = {
  container: 300,
  initialization: 5000,
  timeZones: 500,
  recovery: 300,
  server: 500,
  login: 10,
};
/** What rounds share, and what each start has for itself. */
const ROUNDS = [1, 1.3, 0.9, 2];
const OWN = [1.01, 0.99, 1, 1.01];

const start = (round: number, parts: Partial<Parts>, own = 1) => ({
  round: round + 1,
  evidence: {
    start: Object.fromEntries(
      Object.entries({ ...PARTS, ...parts }).map(([part, ms]) => [part, ms * (ROUNDS[round] ?? 1) * own]),
    ) as Parts,
  },
});

const startsOf = (parts: Partial<Parts>, own = OWN) =>
  ROUNDS.map((_, round) => start(round, parts, own[round]));

const compared = (own: ReturnType<typeof startsOf>, baseline = startsOf({}, [1, 1, 1, 1])) =>
  partsOfStart(own, baseline, { confidence: 0.95, equivalence: 0.05, levelOf: ONE_LOOK });
const verdicts = (parts: PartOfStart[]) => parts.map(({ part, verdict }) => `${part} ${verdict}`);

describe('the parts of a start', () => {
  it('are compared round by round, and those that differ are named', () => {
    const parts = compared(startsOf({ timeZones: 250 }));
    expect(verdicts(parts)).toEqual([
      ...['container same', 'initialization same', 'timeZones faster', 'recovery same', 'server same'],
      'login same',
    ]);
    const [, , timeZones] = parts;
    expect(timeZones).toMatchObject({ ms: expect.closeTo(287.125, 6), baselineMs: 575 });
    expect(timeZones?.ratio?.value).toBeCloseTo(2, 1);
    expect(timeZones?.ratio?.samples).toBe(4);
  });

  it('differ without a ratio where only one has them, and are left out where none has', () => {
    const parts = compared(
      startsOf({ initialization: 0, recovery: 0 }),
      startsOf({ timeZones: 0, recovery: 0 }),
    );
    expect(verdicts(parts)).toEqual([
      ...['container same', 'initialization faster', 'timeZones slower', 'server same', 'login same'],
    ]);
    expect(parts[1]).toMatchObject({ ms: 0, ratio: null });
    expect(parts[2]).toMatchObject({ baselineMs: 0, ratio: null });
  });

  it('count both trials of a baseline that is measured twice', () => {
    const twice = [...startsOf({ server: 400 }, [1, 1, 1, 1]), ...startsOf({ server: 625 }, [1, 1, 1, 1])];
    expect(compared(startsOf({}), twice).find(({ part }) => part === 'server')?.ratio?.value).toBeCloseTo(
      1,
      1,
    );
  });

  it('are none for what is no start', () => {
    expect(compared([{ round: 1, evidence: null } as never], [])).toEqual([]);
  });
});

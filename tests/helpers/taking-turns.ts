/** Servers that take turns of a second: so many rounds of so many passes, without a time limit. */
export function takingTurns(rounds: number, passes = 1): string[] {
  const schedule = { rounds, warmupSeconds: 0, durationSeconds: passes, sliceSeconds: 1 };
  return ['--set', `schedule=${JSON.stringify(schedule)}`];
}

import type { Leftover } from '../../shared/model/leftovers.ts';
import { formatDuration } from '../../shared/words/units.ts';

/** One leftover for a terminal: kind, name, run, owner as far as it is known, age. */
export function leftoverLine({ kind, name, runId, since, owner, consent }: Leftover, now: number): string {
  const facts = [
    runId === null || runId === name ? '' : `run ${runId}`,
    owner ?? (consent === null ? 'its process has ended' : ''),
    since === null ? '' : `${formatDuration(Math.max(0, now - since))} old`,
  ];
  return `${kind} ${name}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

/** What stays without the user's consent, a line each: what it is, and the way out. */
export function undecidedLines(left: readonly Leftover[]): string[] {
  const engines = left.filter(({ kind }) => kind === 'engine');
  const others = left.length - engines.length;
  const lines = engines.map(
    ({ runId, name }) =>
      `what the run ${runId ?? ''} left may be on ${name}, which is not in use now: ` +
      `“whalemark clean --context ${name.replace(/^context:/, '').replace(/ .*$/, '')}” removes it there`,
  );
  if (others > 0)
    lines.push(
      `${others} left over of processes that can’t be seen from here: “whalemark clean --all” lists them`,
    );
  return lines;
}

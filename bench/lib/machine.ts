import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';

/** The machine in one line, for the head of a bench's table. */
export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'unknown processor';
  const gibibytes = (totalmem() / 2 ** 30).toFixed(1);
  return `${cores.length} × ${model}, ${gibibytes} GiB, ${platform()} ${release()} ${arch()}, Node ${process.version}${loadNow()}`;
}

/** Load of the machine by other programs now; only Linux reports it. */
function loadNow(): string {
  try {
    return `, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '?'} at the start`;
  } catch {
    return '';
  }
}

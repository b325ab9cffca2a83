import { describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import { HiddenWords } from '../../../../src/benchmark/privacy/cleaner.ts';
import type { ErrorData } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';

const PASSWORD = 'p/ä"s+s 7_x';
const FORMS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  JSON.stringify(PASSWORD).slice(1, -1),
  Buffer.from(PASSWORD).toString('base64'),
];
const said = FORMS.join(' | ');
const error: ErrorData = {
  code: 'LOAD_FAILED',
  message: said,
  hint: said,
  evidence: [said],
  params: { reason: said },
};
const at = 1;
const EVENTS: RunEvent[] = [
  { type: 'step-progress', at, stepId: 's', fraction: null, detail: said },
  { type: 'step-finished', at, stepId: 's', error },
  { type: 'trial-failed', at, trialId: 't', error },
  { type: 'run-finished', at, outcome: 'failed', error },
  { type: 'server-log', at, serverId: 'x', lines: ['ready', said] },
  { type: 'notice', at, notice: { code: 'X', message: msg('notice.journalStuck', { reason: said }) } },
];

describe('words that no event of a run may hold', () => {
  const hidden = new HiddenWords();
  hidden.add(PASSWORD);

  it.each(EVENTS.map((event) => [event.type, event] as const))('are taken out of %s', (_, event) => {
    const text = JSON.stringify(hidden.cleaned(event));
    for (const form of FORMS) expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
    expect(text).toContain('*** | *** | *** | ***');
  });

  it('leave events alone while there are none, and events without any text', () => {
    const [event] = EVENTS;
    if (event !== undefined) expect(new HiddenWords().cleaned(event)).toBe(event);
    const started: RunEvent = { type: 'trial-started', at, trialId: PASSWORD };
    expect(hidden.cleaned(started)).toBe(started);
  });

  it('are only taken out where they stand alone when they are short', () => {
    const short = new HiddenWords();
    short.add('root');
    const lines = ["denied for 'root'@'x'", 'a rooted tree'];
    expect(short.cleaned({ type: 'server-log', at, serverId: 'x', lines })).toMatchObject({
      lines: ["denied for '***'@'x'", 'a rooted tree'],
    });
  });
});

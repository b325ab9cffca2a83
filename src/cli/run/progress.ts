import type { RunEvent } from '../../shared/model/events.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { activityText, progressReport } from '../text/run-progress.ts';
import { note, noteStatus } from '../text/terminal.ts';

/** Interval between changes of a terminal's last line, ms. */
const STATUS_EVERY = 200;
/** Interval between lines of a long step elsewhere, ms. */
const LINE_EVERY = 10_000;

export function progressNotes(): (event: RunEvent, state: RunState) => void {
  const linesOf = progressReport();
  let shownAt = -Infinity;
  return (event, state) => {
    for (const line of linesOf(event, state)) note(line);
    const isStep = event.type === 'step-started' || event.type === 'step-progress';
    if (event.type === 'step-started') shownAt = -Infinity;
    const since = event.at - shownAt;
    if (since < STATUS_EVERY && event.type !== 'trial-phase') return;
    const activity = activityText(state);
    if (noteStatus(activity)) shownAt = event.at;
    else if (isStep && activity !== undefined && since >= LINE_EVERY) {
      shownAt = event.at;
      note(`${activity}…`);
    }
  };
}

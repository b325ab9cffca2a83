import type { Consent } from '../../shared/model/plan.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { request } from '../api.ts';
import { app, attempt, type DraftPreset, type PlanChoice } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

/** Asking for plans: of presets, of drafts, of finished runs. */

interface PlanChange {
  presetId?: string;
  mode?: 'full' | 'short';
  /** Null takes back what was chosen, here and below. */
  image?: string | null;
  untilSettledMinutes?: number | null;
  rate?: number | null;
  ramp?: number[] | null;
  draft?: DraftPreset;
}

/** Shows what a run would do. A preset that is opened, with `image: null`, begins with its own image and load. */
export async function askForPlan(change: PlanChange = {}): Promise<void> {
  const { presetId = app.planRequest.presetId } = change;
  const isOpened = change.presetId !== undefined && change.image === null;
  const isOther = isOpened || presetId !== app.planRequest.presetId || isOfRun(app.planRequest);
  const mode = change.mode ?? (isOther ? settings.current.mode : app.planRequest.mode);
  const before: Partial<PlanChoice> = isOther ? {} : app.planRequest;
  const chosen = <T>(wanted: T | null | undefined, old: T | undefined): T | undefined =>
    wanted === undefined ? old : (wanted ?? undefined);
  const image = chosen(change.image, before.image);
  const minutes = chosen(change.untilSettledMinutes, before.untilSettledMinutes);
  const rate = chosen(change.rate, before.rate);
  const ramp = chosen(change.ramp, before.ramp);
  const draft = chosen(change.draft, before.draft);
  await showPlan(
    {
      presetId,
      mode,
      ...(image === undefined ? {} : { image }),
      ...(minutes === undefined ? {} : { untilSettledMinutes: minutes }),
      ...(rate === undefined ? {} : { rate }),
      ...(ramp === undefined ? {} : { ramp }),
      ...(draft === undefined ? {} : { draft }),
    },
    isOther,
  );
}

/** Shows the plan of a finished run once more: the same thing, whatever became of its preset. */
export async function repeatRun({ runId, startedAt, plan }: RunView): Promise<void> {
  const { mode, preset } = plan;
  await showPlan({ presetId: preset.id, mode, repeated: { runId, startedAt } }, true);
}

/** Shows what is left of a run that ended early; its start goes on with the run itself. */
export async function continueRun({ runId, startedAt, plan }: RunView): Promise<void> {
  const { mode, preset } = plan;
  await showPlan({ presetId: preset.id, mode, continued: { runId, startedAt } }, true);
}

/** Whether a plan comes from a run, whatever its preset is: nothing about it can be chosen. */
export function isOfRun({ repeated, continued }: PlanChoice): boolean {
  return repeated !== undefined || continued !== undefined;
}

/** Takes the user's word. What the plan could not look at without it is looked at now. */
export async function agree(given: Consent[]): Promise<void> {
  const looks = given.includes('external') && !app.given.includes('external');
  app.given = given;
  // A run that goes on looks when it is started.
  if (looks && app.planRequest.continued === undefined) await showPlan({ ...app.planRequest }, false, given);
}

async function showPlan(asked: PlanChoice, isOther: boolean, given: Consent[] = []): Promise<void> {
  // Another preset's plan must not stand there meanwhile.
  if (isOther) app.plan = undefined;
  app.planRequest = asked;
  app.given = given;
  app.screen = 'plan';
  app.isPlanning = true;
  await attempt(async () => {
    const chosen = app.report?.chosenId;
    const runtime = chosen === undefined || chosen === null ? {} : { runtimeId: chosen };
    const consents = given.length === 0 ? {} : { consents: given };
    const { repeated, continued, draft, ...choices } = asked;
    if (continued !== undefined) {
      const { plan, left } = await request('plan:continue', { runId: continued.runId, ...runtime });
      if (asked !== app.planRequest) return;
      asked = { ...asked, continued: { ...continued, left } };
      app.planRequest = asked;
      app.plan = plan;
      return;
    }
    const plan =
      repeated === undefined
        ? await request('plan:make', {
            ...choices,
            ...(draft === undefined ? {} : { presetText: draft.text }),
            ...consents,
            ...runtime,
          })
        : await request('plan:repeat', { runId: repeated.runId, ...consents, ...runtime });
    if (asked === app.planRequest) app.plan = plan;
  });
  if (asked !== app.planRequest) return;
  if (app.error !== undefined) app.plan = undefined;
  app.isPlanning = false;
  app.localImages = await request('images:local', {}).catch(() => []);
}

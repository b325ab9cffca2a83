import { errorMessage, type ErrorData } from '../../shared/errors.ts';
import type { Answer } from '../../shared/contract/ipc.ts';
import type { Cell } from '../../shared/model/cells.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { PresetProblem } from '../../shared/model/preset.ts';
import { baselineEdits } from '../wizard/choices.ts';
import { Draft, readDraft, type Path, type Reading } from '../wizard/draft.ts';
import { type Edit, editedText, freeId, idFromName, newPresetText } from '../wizard/preset-text.ts';
import { errorDataOf, request } from '../api.ts';
import { say, t } from '../texts.ts';
import { app, attempt, goTo } from './app.svelte.ts';
import { openPlan } from './plan.svelte.ts';
import { presets, refreshPresets } from './presets.svelte.ts';

const ASK_AFTER_MS = 350;
const PLAIN_ID = 'my-comparison';

export const WIZARD_STEPS = ['what', 'load', 'review', 'yaml'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

interface EarlierDraft {
  text: string;
  saved: string;
  presetId: string | undefined;
}

/** The YAML text is the draft; the form shows its fields. */
class WizardState {
  step = $state<WizardStep>('what');
  text = $state.raw('');
  saved = $state.raw('');
  presetId = $state.raw<string | undefined>();
  readonly reading: Reading = $derived(readDraft(this.text));
  /** Draft of the last text that was YAML. */
  known = $state.raw<Draft | undefined>();
  readonly draft = $derived(this.known ?? EMPTY);
  readonly isReadable = $derived(this.reading.draft !== null);
  readonly isDirty = $derived(this.text !== this.saved);
  readonly hasDraft = $derived(this.known !== undefined || this.presetId !== undefined || this.text !== '');

  refused = $state.raw<Answer<'wizard:support'>>([]);
  plan = $state.raw<Plan | undefined>();
  planError = $state.raw<ErrorData | undefined>();
  isPlanning = $state(false);
  checks = $state.raw<PresetProblem[]>([]);
  isChecking = $state(false);
  readonly isSound = $derived(!this.isChecking && this.checks.length === 0);
  line = $state.raw<number | undefined>();

  done = $state('');
  replaced = $state.raw<EarlierDraft | undefined>();
}

const EMPTY = new Draft({});
export const wizard = new WizardState();

export function openWizard(): void {
  if (wizard.hasDraft) ask();
  else startNew();
  // Without local images only well-known ones are offered.
  void request('images:local', {})
    .then((images) => (app.localImages = images))
    .catch(() => undefined);
}

export function startNew(): void {
  const names = { name: t('wizard.newName'), question: t('wizard.newQuestion') };
  replace(newPresetText({ id: idFor(names.name), ...names }), undefined);
}

function idFor(name: string): string {
  const taken = (presets.list ?? []).map(({ id }) => id);
  return freeId(idFromName(name, PLAIN_ID), taken);
}

function load(text: string, presetId: string | undefined): void {
  wizard.presetId = presetId;
  wizard.saved = text;
  wizard.known = undefined;
  wizard.plan = undefined;
  wizard.planError = undefined;
  wizard.done = '';
  typeDraft(text);
}

export async function editInWizard(id: string, step: WizardStep = 'what'): Promise<void> {
  await attempt(async () => {
    if (wizard.presetId !== id || !wizard.isDirty) {
      const { text } = await request('presets:text', { id });
      replace(text, id);
    }
    wizard.step = step;
    goTo('wizard');
  });
}

export function importDraft(text: string, fileName: string): void {
  replace(text, undefined);
  wizard.step = 'review';
  wizard.done = t('wizard.imported', { name: fileName });
}

function replace(text: string, presetId: string | undefined): void {
  const { text: before, saved, presetId: id } = wizard;
  load(text, presetId);
  wizard.step = 'what';
  if (before !== '' && before !== saved) wizard.replaced = { text: before, saved, presetId: id };
}

export function undoReplace(): void {
  const { replaced } = wizard;
  if (replaced === undefined) return;
  load(replaced.text, replaced.presetId);
  wizard.saved = replaced.saved;
  wizard.replaced = undefined;
}

export function typeDraft(text: string): void {
  wizard.text = text;
  const { draft } = wizard.reading;
  if (draft !== null) wizard.known = draft;
  ask();
}

export function edit(...edits: Edit[]): void {
  if (!wizard.isReadable) return;
  wizard.done = '';
  typeDraft(editedText(wizard.text, edits));
}

export function set(path: Path, value: unknown): void {
  edit({ path: typeof path === 'string' ? path.split('.') : path, value });
}

export function rename(name: string): void {
  const { draft, presetId } = wizard;
  const made = idFromName(draft.text('name'), PLAIN_ID);
  const old = draft.text('id');
  const isMade = presetId === undefined && (old === made || old.startsWith(`${made}-`));
  edit({ path: ['name'], value: name }, ...(isMade ? [{ path: ['id'], value: idFor(name) }] : []));
}

export function refusal({ storage, path }: Cell): string | undefined {
  const reason = wizard.refused.find((one) => one.storage === storage && one.path === path)?.reason;
  return reason === undefined ? undefined : say(reason);
}

/** A baseline that is gone is replaced, too. */
export function choose(edits: Edit[]): void {
  const { draft } = readDraft(editedText(wizard.text, edits));
  edit(...edits, ...(draft === null ? [] : baselineEdits(draft)));
}

let timer: ReturnType<typeof setTimeout> | undefined;

function ask(): void {
  wizard.isChecking = true;
  clearTimeout(timer);
  timer = setTimeout(() => void Promise.all([lookAtPlan(), lookAtSupport()]), ASK_AFTER_MS);
}

async function lookAtPlan(): Promise<void> {
  const { text, presetId } = wizard;
  const checks = await request('presets:check', { text, id: presetId }).catch((error: unknown) => [
    { line: null, problem: errorMessage(errorDataOf(error)) },
  ]);
  if (text !== wizard.text) return;
  wizard.checks = checks;
  wizard.isChecking = false;
  wizard.isPlanning = wizard.isSound;
  const { plan, error } = wizard.isSound
    ? await request('wizard:plan', { text, runtimeId: app.engine }).then(
        (found) => ({ plan: found, error: undefined }),
        (reason: unknown) => ({ plan: undefined, error: errorDataOf(reason) }),
      )
    : {};
  if (text !== wizard.text) return;
  wizard.isPlanning = false;
  wizard.plan = plan;
  wizard.planError = error;
}

let supportAsked = '';

async function lookAtSupport(): Promise<void> {
  const { draft } = wizard;
  if (wizard.known === undefined) return;
  const asked = {
    image: draft.text('server.image'),
    nativeBinary: draft.text('server.nativeBinary') || undefined,
    clientEngine: draft.text('clientEngine') || undefined,
    runtimeId: app.engine,
  };
  const key = JSON.stringify(asked);
  if (key === supportAsked) return;
  supportAsked = key;
  const refused = await request('wizard:support', asked).catch(() => []);
  if (key === supportAsked) wizard.refused = refused;
}

export async function planDraft(): Promise<void> {
  const { draft, text } = wizard;
  await openPlan({
    presetId: draft.text('id'),
    draft: {
      text,
      name: draft.text('name'),
      question: draft.text('question'),
    },
    mode: 'full',
    hasSmall: draft.at('small') !== undefined,
  });
}

export async function saveDraft(): Promise<void> {
  const { text, presetId } = wizard;
  wizard.done = '';
  await attempt(async () => {
    const isKept = presets.list?.some(({ id }) => id === presetId) ?? false;
    const { id } = await request('presets:save', { text, id: isKept ? presetId : undefined });
    wizard.presetId = id;
    wizard.saved = text;
    wizard.done = t('wizard.kept');
    await refreshPresets();
  });
}

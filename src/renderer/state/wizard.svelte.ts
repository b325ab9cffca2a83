import { errorMessage, type ErrorData } from '../../shared/errors.ts';
import { isInContainer, mismatch, NATIVE_PATH, type Cell } from '../../shared/model/cells.ts';
import { DISTRIBUTIONS, LOAD_GENERATORS, STORAGE_KINDS } from '../../shared/model/names.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { PresetProblem } from '../../shared/model/preset.ts';
import type { WizardSupport } from '../../shared/contract/requests/presets.ts';
import { cellEdits } from '../wizard/cells.ts';
import { Draft, readDraft, type Path, type Reading } from '../wizard/draft.ts';
import { type Edit, editedText, freeId, idFromName, newPresetText } from '../wizard/preset-text.ts';
import { draftProblems, type WizardProblem, type WizardStep } from '../wizard/problems.ts';
import { errorDataOf, request } from '../api.ts';
import { say, t } from '../texts.ts';
import { app, attempt, goTo } from './app.svelte.ts';
import { openPlan } from './plan.svelte.ts';
import { presets, refreshPresets } from './presets.svelte.ts';

/** Changes stop this long before the core is asked about them. */
const ASK_AFTER_MS = 350;
const PLAIN_ID = 'my-comparison';

interface EarlierDraft {
  text: string;
  saved: string;
  presetId: string | undefined;
}

/** The YAML text is the draft; the form shows what is read of it. */
class WizardState {
  step = $state<WizardStep>('server');
  text = $state.raw('');
  saved = $state.raw('');
  presetId = $state.raw<string | undefined>();
  readonly reading: Reading = $derived(readDraft(this.text));
  /** The last text that was YAML, read. */
  known = $state.raw<Draft | undefined>();
  readonly draft = $derived(this.known ?? EMPTY);
  readonly isReadable = $derived(this.reading.draft !== null);
  readonly isDirty = $derived(this.text !== this.saved);
  readonly hasDraft = $derived(this.known !== undefined || this.presetId !== undefined || this.text !== '');
  readonly problems: WizardProblem[] = $derived(
    this.reading.draft === null ? [] : draftProblems(this.reading.draft),
  );
  readonly blocks = $derived(!this.isReadable || this.problems.some(({ blocks }) => blocks));

  rows = $state.raw<string[]>([]);
  columns = $state.raw<Cell['path'][]>([]);

  support = $state.raw<WizardSupport | undefined>();
  plan = $state.raw<Plan | undefined>();
  planError = $state.raw<ErrorData | undefined>();
  isPlanning = $state(false);
  checks = $state.raw<PresetProblem[]>([]);
  isChecking = $state(false);

  done = $state('');
  replaced = $state.raw<EarlierDraft | undefined>();
}

const EMPTY = new Draft({});
export const wizard = new WizardState();

export function openWizard(): void {
  if (wizard.hasDraft) ask();
  else startNew();
  // Without local images only the well-known ones are offered.
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
  wizard.rows = [];
  wizard.columns = [];
  wizard.known = undefined;
  wizard.plan = undefined;
  wizard.planError = undefined;
  wizard.done = '';
  typeDraft(text);
}

export async function editInWizard(id: string, step: WizardStep = 'server'): Promise<void> {
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
  wizard.step = 'server';
  if (before !== '' && before !== saved) wizard.replaced = { text: before, saved, presetId: id };
}

export function undoReplace(): void {
  const { replaced } = wizard;
  if (replaced === undefined) return;
  load(replaced.text, replaced.presetId);
  wizard.saved = replaced.saved;
  wizard.replaced = undefined;
}

const unique = <T>(all: T[]): T[] => all.filter((one, index) => all.indexOf(one) === index);

export function typeDraft(text: string): void {
  wizard.text = text;
  const { draft } = wizard.reading;
  if (draft !== null) {
    wizard.known = draft;
    const { chosen } = draft.cells;
    const storages = [...STORAGE_KINDS, ...draft.storages.map(({ id }) => id)];
    wizard.rows = unique([
      ...wizard.rows.filter((row) => storages.includes(row)),
      ...chosen.map(({ storage }) => storage),
    ]);
    wizard.columns = unique([...wizard.columns, ...chosen.map(({ path }) => path)]);
  }
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
  const kind = wizard.draft.storages.find(({ id }) => id === storage)?.kind ?? storage;
  const reason = wizard.support?.refused.find((one) => one.storage === kind && one.path === path)?.reason;
  return reason === undefined ? undefined : say(reason);
}

export function isPossible(cell: Cell): boolean {
  return mismatch(cell) === undefined && refusal(cell) === undefined;
}

export function chooseCells(cells: Cell[], baseline = wizard.draft.cells.baseline): void {
  edit(...cellEdits(wizard.reading.draft?.value, cells, baseline));
}

export function offerStorage(storage: string, offered: boolean): void {
  const columns = isInContainer(storage) ? wizard.columns : [NATIVE_PATH];
  const added = offered ? columns.map((path) => ({ storage, path })).filter(isPossible) : [];
  wizard.rows = [...wizard.rows.filter((row) => row !== storage), ...(offered ? [storage] : [])];
  chooseCells([...wizard.draft.cells.chosen.filter((cell) => cell.storage !== storage), ...added]);
}

export function offerPath(path: Cell['path'], offered: boolean): void {
  const added = offered ? wizard.rows.map((storage) => ({ storage, path })).filter(isPossible) : [];
  wizard.columns = [...wizard.columns.filter((column) => column !== path), ...(offered ? [path] : [])];
  chooseCells([...wizard.draft.cells.chosen.filter((cell) => cell.path !== path), ...added]);
}

export function addStorage(stem: string, spec: object): void {
  const id = freeId(stem, [...wizard.draft.storages.map((one) => one.id), ...wizard.rows]);
  edit({ path: ['storages', id], value: spec });
  offerStorage(id, true);
}

export function removeStorage(id: string): void {
  offerStorage(id, false);
  edit({ path: ['storages', id], value: undefined });
}

let timer: ReturnType<typeof setTimeout> | undefined;

function ask(): void {
  wizard.isChecking = true;
  clearTimeout(timer);
  timer = setTimeout(() => void Promise.all([check(), lookAtPlan(), lookAtSupport()]), ASK_AFTER_MS);
}

async function check(): Promise<void> {
  const { text, presetId } = wizard;
  const problems = await request('presets:check', { text, id: presetId }).catch((error: unknown) => [
    { line: null, problem: errorMessage(errorDataOf(error)) },
  ]);
  if (text !== wizard.text) return;
  wizard.checks = problems;
  wizard.isChecking = false;
}

async function lookAtPlan(): Promise<void> {
  const { text } = wizard;
  wizard.isPlanning = !wizard.blocks;
  const { plan, error } = wizard.blocks
    ? {}
    : await request('wizard:plan', { text, runtimeId: app.engine }).then(
        (found) => ({ plan: found, error: undefined }),
        (reason: unknown) => ({ plan: undefined, error: errorDataOf(reason) }),
      );
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
    loadGenerator: draft.oneOf('loadGenerator', LOAD_GENERATORS),
    workload: draft.workloadKind,
    distribution: draft.oneOf('workload.distribution', DISTRIBUTIONS),
    clientEngine: draft.text('clientEngine') || undefined,
    runtimeId: app.engine,
  };
  const key = JSON.stringify(asked);
  if (key === supportAsked && wizard.support !== undefined) return;
  supportAsked = key;
  const support = await request('wizard:support', asked).catch(() => undefined);
  if (key === supportAsked) wizard.support = support;
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

export async function exportDraft(): Promise<void> {
  wizard.done = '';
  await attempt(async () => {
    const saved = await request('presets:export', {
      id: wizard.draft.text('id') || PLAIN_ID,
      text: wizard.text,
    });
    if (saved !== null) wizard.done = t('presets.saved', { name: saved.fileName });
  });
}

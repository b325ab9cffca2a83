import type { ErrorData } from '../../shared/errors.ts';
import { STORAGE_KINDS } from '../../shared/model/names.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { PresetProblem } from '../../shared/model/preset-summary.ts';
import type { WizardSupport } from '../../shared/contract/requests/wizard.ts';
import { mismatch, type Cell } from '../../shared/model/cells.ts';
import { cellEdits } from '../wizard/cells.ts';
import { editedText, type Edit } from '../wizard/edit.ts';
import { freeId, idFromName, newPresetText } from '../wizard/new-preset.ts';
import { draftProblems, type WizardProblem, type WizardStep } from '../wizard/problems.ts';
import { readDraft, type Reading, type WizardView } from '../wizard/view.ts';
import { errorDataOf, request } from '../api.ts';
import { say, t } from '../texts.ts';
import { app, attempt, goTo } from './app.svelte.ts';
import { draftBefore, type Draft } from './draft-before.ts';
import { askForPlan } from './planning.ts';
import { presets, refreshPresets } from './presets.svelte.ts';

/** Changes stop this long before the core is asked about them. */
const ASK_AFTER_MS = 350;
/** What a draft is called whose name leaves nothing for an id. */
const PLAIN_ID = 'my-comparison';

/** A comparison while it takes shape. The YAML text is the draft; the form is what is read of it. */
class WizardState {
  step = $state<WizardStep>('server');
  text = $state.raw('');
  /** The text when it was begun, opened or saved. */
  saved = $state.raw('');
  /** The preset of the user's own that is edited; undefined for a new one. */
  presetId = $state.raw<string | undefined>();
  /** What the text says; while it is no YAML the form keeps showing what it said before. */
  readonly reading: Reading = $derived(readDraft(this.text));
  view = $state.raw<WizardView | undefined>();
  readonly isReadable = $derived(this.reading.view !== null);
  readonly isDirty = $derived(this.text !== this.saved);
  readonly hasDraft = $derived(this.view !== undefined || this.presetId !== undefined || this.text !== '');
  readonly problems: WizardProblem[] = $derived(
    this.reading.view === null ? [] : draftProblems(this.reading.view, this.reading.value),
  );
  readonly blocks = $derived(!this.isReadable || this.problems.some(({ blocks }) => blocks));

  /** Rows and columns of the table that are offered although no cell of them is chosen. */
  rows = $state.raw<string[]>([]);
  columns = $state.raw<Cell['path'][]>([]);

  support = $state.raw<WizardSupport | undefined>();
  plan = $state.raw<Plan | undefined>();
  planError = $state.raw<ErrorData | undefined>();
  isPlanning = $state(false);
  checks = $state.raw<PresetProblem[]>([]);
  isChecking = $state(false);

  /** The address of an external server as it was typed into the form; one that came with a text is not connected to. */
  address = $state.raw<unknown>();

  /** What was done last, in words. */
  done = $state('');
  /** The draft that another one took the place of, to go back to. */
  replaced = $state.raw<Draft | undefined>();
}

export const wizard = new WizardState();

/** Called when the wizard is shown: begins a draft where there is none, and asks anew what the runtime can do. */
export function openWizard(): void {
  if (wizard.hasDraft) ask();
  else startAnew();
  // Names of images to choose from; without them the well-known ones are offered.
  void request('images:local', {})
    .then((images) => (app.localImages = images))
    .catch(() => undefined);
}

/** A new draft in place of the one there is, which can be gone back to. */
export function startAnew(): void {
  const taken = (presets.list ?? []).map(({ id }) => id);
  const names = { name: t('wizard.newName'), question: t('wizard.newQuestion') };
  const text = newPresetText({ id: freeId(idFromName(names.name, PLAIN_ID), taken), ...names });
  replace(text, undefined);
}

function load(text: string, presetId: string | undefined): void {
  wizard.presetId = presetId;
  wizard.saved = text;
  wizard.rows = [];
  wizard.columns = [];
  wizard.view = undefined;
  wizard.plan = undefined;
  wizard.planError = undefined;
  wizard.address = undefined;
  wizard.done = '';
  typeDraft(text);
}

/** Opens a preset of the user's own at a step; a draft that was left unfinished can be gone back to. */
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

/** Takes the text of a file as the draft. */
export function importDraft(text: string, fileName: string): void {
  replace(text, undefined);
  wizard.step = 'review';
  wizard.done = t('wizard.imported', { name: fileName });
}

function replace(text: string, presetId: string | undefined): void {
  const left: Draft = { text: wizard.text, saved: wizard.saved, presetId: wizard.presetId };
  load(text, presetId);
  wizard.step = 'server';
  wizard.replaced = draftBefore(left, wizard.replaced);
}

/** Back to the draft that a new one, an import or another preset took the place of. */
export function undoReplace(): void {
  const { replaced } = wizard;
  if (replaced === undefined) return;
  load(replaced.text, replaced.presetId);
  wizard.saved = replaced.saved;
  wizard.replaced = undefined;
}

const unique = <T>(all: T[]): T[] => all.filter((one, index) => all.indexOf(one) === index);

/** Takes the whole text, as it is typed in the YAML. */
export function typeDraft(text: string): void {
  wizard.text = text;
  const { view } = wizard.reading;
  if (view !== null) {
    wizard.view = view;
    const { chosen } = view.cells;
    const isStorage = (row: string): boolean =>
      row in view.storages || STORAGE_KINDS.some((kind) => kind === row);
    wizard.rows = unique([...wizard.rows.filter(isStorage), ...chosen.map(({ storage }) => storage)]);
    wizard.columns = unique([...wizard.columns, ...chosen.map(({ path }) => path)]);
  }
  ask();
}

/** Changes fields of the draft. */
export function edit(...edits: Edit[]): void {
  if (!wizard.isReadable) return;
  wizard.done = '';
  for (const { path, value } of edits) if (path.join('.') === 'server.dsn') wizard.address = value;
  typeDraft(editedText(wizard.text, edits));
}

/** Changes one field; undefined takes it away. */
export function set(path: string, value: unknown): void {
  edit({ path: path.split('.'), value });
}

/** Gives the draft another name, and an id to it while the id was made of the name. */
export function rename(name: string): void {
  const { view, presetId } = wizard;
  if (view === undefined) return;
  const taken = (presets.list ?? []).map(({ id }) => id);
  const made = idFromName(view.name, PLAIN_ID);
  const isMade = presetId === undefined && (view.id === made || view.id.startsWith(`${made}-`));
  const id = freeId(idFromName(name, PLAIN_ID), taken);
  edit({ path: ['name'], value: name }, ...(isMade ? [{ path: ['id'], value: id }] : []));
}

/** Why the runtime can't run a cell; undefined when it can, or when that is not known yet. */
export function refusal({ storage, path }: Cell): string | undefined {
  const kind = wizard.view?.storages[storage]?.kind ?? storage;
  const reason = wizard.support?.refused.find((one) => one.storage === kind && one.path === path)?.reason;
  return reason === undefined ? undefined : say(reason);
}

/** The cell can be chosen: its storage and its path go together, and the runtime can run it. */
export function isPossible(cell: Cell): boolean {
  return mismatch(cell) === undefined && refusal(cell) === undefined;
}

/** Chooses these cells and no others. */
export function chooseCells(cells: Cell[], baseline = wizard.view?.cells.baseline): void {
  edit(...cellEdits(wizard.reading.value, cells, baseline));
}

/** Adds a row or a column to the table, with all cells of it that can run; or takes it away with all its cells. */
export function offerStorage(storage: string, offered: boolean): void {
  const cells = wizard.view?.cells.chosen ?? [];
  if (!offered) {
    wizard.rows = wizard.rows.filter((row) => row !== storage);
    chooseCells(cells.filter((cell) => cell.storage !== storage));
    return;
  }
  const own = { native: 'loopback', external: 'external' } as const;
  const columns = storage === 'native' || storage === 'external' ? [own[storage]] : wizard.columns;
  wizard.rows = [...wizard.rows, storage];
  chooseCells([...cells, ...columns.map((path) => ({ storage, path })).filter(isPossible)]);
}

/** Gives the grid a column, with all of its possible cells chosen, or takes it away. */
export function offerPath(path: Cell['path'], offered: boolean): void {
  const cells = wizard.view?.cells.chosen ?? [];
  if (!offered) {
    wizard.columns = wizard.columns.filter((column) => column !== path);
    chooseCells(cells.filter((cell) => cell.path !== path));
    return;
  }
  wizard.columns = [...wizard.columns, path];
  chooseCells([...cells, ...wizard.rows.map((storage) => ({ storage, path })).filter(isPossible)]);
}

/** A storage that the draft defines under a name, and takes part at once. */
export function addStorage(stem: string, spec: object): void {
  const id = freeId(stem, [...Object.keys(wizard.view?.storages ?? {}), ...wizard.rows]);
  edit({ path: ['storages', id], value: spec });
  offerStorage(id, true);
}

/** Takes a storage out of the draft, with its row of the grid. */
export function removeStorage(id: string): void {
  offerStorage(id, false);
  edit({ path: ['storages', id], value: undefined });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks the core about the draft when changes have come to rest. */
function ask(): void {
  wizard.isChecking = true;
  clearTimeout(timer);
  timer = setTimeout(() => void Promise.all([check(), lookAtPlan(), lookAtSupport()]), ASK_AFTER_MS);
}

const runtimeInUse = (): { runtimeId?: string } => {
  const id = app.report?.chosenId ?? null;
  return id === null ? {} : { runtimeId: id };
};

async function check(): Promise<void> {
  const { text, presetId } = wizard;
  const problems = await request('presets:check', {
    text,
    ...(presetId === undefined ? {} : { id: presetId }),
  }).catch((error: unknown) => [{ line: null, message: errorDataOf(error).message }]);
  if (text !== wizard.text) return;
  wizard.checks = problems;
  wizard.isChecking = false;
}

async function lookAtPlan(): Promise<void> {
  const { text, view, address } = wizard;
  if (wizard.blocks) {
    wizard.plan = undefined;
    wizard.planError = undefined;
    wizard.isPlanning = false;
    return;
  }
  wizard.isPlanning = true;
  const answer = await request('wizard:plan', {
    text,
    ...(address !== undefined && view?.server.dsn === address ? { consents: ['external' as const] } : {}),
    ...runtimeInUse(),
  }).then(
    (plan) => ({ plan, error: undefined }),
    (error: unknown) => ({ plan: undefined, error: errorDataOf(error) }),
  );
  // A later question will be answered, too.
  if (text !== wizard.text) return;
  wizard.isPlanning = false;
  wizard.plan = answer.plan;
  wizard.planError = answer.error;
}

let supportAsked = '';

async function lookAtSupport(): Promise<void> {
  const { view } = wizard;
  if (view === undefined) return;
  const { server, driver, workload } = view;
  const asked = {
    image: server.image,
    ...(server.nativeBinary === '' ? {} : { nativeBinary: server.nativeBinary }),
    driver,
    workload: workload.kind,
    distribution: workload.distribution,
    ...runtimeInUse(),
  };
  const key = JSON.stringify(asked);
  if (key === supportAsked && wizard.support !== undefined) return;
  supportAsked = key;
  const support = await request('wizard:support', asked).catch(() => undefined);
  if (key === supportAsked) wizard.support = support;
}

/** Shows what a run of the draft would do, without keeping it. */
export async function planDraft(): Promise<void> {
  const { view, text } = wizard;
  if (view === undefined) return;
  await askForPlan({
    presetId: view.id,
    draft: { text, name: view.name, question: view.question, hasShort: view.short !== undefined },
    mode: 'full',
    image: null,
  });
}

/** Keeps the draft as a preset of the user's own. */
export async function saveDraft(): Promise<void> {
  const { text, presetId } = wizard;
  wizard.done = '';
  await attempt(async () => {
    const isKept = presets.list?.some(({ id }) => id === presetId) ?? false;
    const { id } = await request('presets:save', {
      text,
      ...(presetId === undefined || !isKept ? {} : { id: presetId }),
    });
    wizard.presetId = id;
    wizard.saved = text;
    wizard.done = t('wizard.kept');
    await refreshPresets();
  });
}

/** Writes the draft to a file of the user's choice. */
export async function exportDraft(): Promise<void> {
  wizard.done = '';
  await attempt(async () => {
    const saved = await request('presets:export-text', {
      id: wizard.view?.id ?? PLAIN_ID,
      text: wizard.text,
    });
    if (saved !== null) wizard.done = t('presets.saved', { name: saved.fileName });
  });
}

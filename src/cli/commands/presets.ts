import { join } from 'node:path';
import { writeExport } from '../../benchmark/report/export.ts';
import { PresetStore } from '../../benchmark/presets/preset-store.ts';
import { loadReference } from '../../benchmark/plan/reference.ts';
import { parse, usage } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { note, print, printFile, printJson } from '../text/terminal.ts';

/** `whalemark presets [list|show|export|import|duplicate|remove] …` */
export async function presetsCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { json: { type: 'boolean' }, force: { type: 'boolean' } }, 3);
  const [action = 'list', ...names] = positionals;
  const store = new PresetStore(paths.presetsDir, paths.dataDir);
  const wanted = Object.hasOwn(ARGUMENTS, action) ? ARGUMENTS[action] : undefined;
  if (wanted === undefined) {
    throw usage(
      `presets ${action}: there is no such action; there are ${Object.keys(ARGUMENTS).join(', ')}.`,
    );
  }
  if (names.length !== wanted.length)
    throw usage(`Write: whalemark presets ${[action, ...wanted].join(' ')}`);
  const [first = '', second = ''] = names;
  switch (action) {
    case 'list':
      await list(store, values.json === true);
      break;
    case 'show':
      printFile(await store.text(first));
      break;
    case 'export':
      await writeExport(second, Buffer.from(await store.text(first)), { overwrite: values.force === true });
      note(`${first} is in ${second}.`);
      break;
    case 'import':
      note(`Kept as ${(await store.importFile(first)).id}.`);
      break;
    case 'duplicate':
      note(`Kept as ${(await store.duplicate(first, second)).id}.`);
      break;
    case 'remove':
      await store.remove(first);
      note(`${first} is removed.`);
      break;
  }
  return EXIT.done;
}

/** What each action needs to be told. */
const ARGUMENTS: Record<string, string[]> = {
  list: [],
  show: ['ID'],
  export: ['ID', 'FILE'],
  import: ['FILE'],
  duplicate: ['ID', 'NEWID'],
  remove: ['ID'],
};

async function list(store: PresetStore, json: boolean): Promise<void> {
  const entries = await Promise.all(
    (await store.list()).map(async ({ id, builtIn, preset, error }) => {
      const referenceId = preset?.reference?.id;
      const reference =
        referenceId === undefined
          ? null
          : await loadReference(referenceId, join(paths.assetsDir, 'reference')).catch(() => null);
      return {
        id,
        name: preset?.name ?? null,
        question: preset?.question ?? null,
        builtIn,
        short: preset?.short !== undefined,
        source: reference === null ? null : `${reference.source}, ${reference.date}`,
        error: error === null ? null : { code: error.code, message: error.message, evidence: error.evidence },
      };
    }),
  );
  if (json) {
    printJson(entries);
    return;
  }
  const width = Math.max(...entries.map(({ id }) => id.length));
  for (const { id, question, error, builtIn } of entries) {
    const text = `${question ?? ''}${builtIn ? '' : ' (your own)'}`;
    const problem = error === null ? text : `! ${[error.message, ...error.evidence].join(' ')}`;
    print(`${id.padEnd(width)}  ${problem}`);
  }
}

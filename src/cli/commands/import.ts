import { basename } from 'node:path';
import { readImportFile, readImportStream } from '../../benchmark/import/import-source.ts';
import { ImportStore } from '../../benchmark/import/import-store.ts';
import { importSysbench } from '../../benchmark/import/sysbench-text.ts';
import { parse, usage } from '../options/args.ts';
import { EXIT } from '../exit-codes.ts';
import { renderImport } from '../text/import-table.ts';
import { paths } from '../installation.ts';
import { note, print, printJson } from '../text/terminal.ts';

const STDIN = '-';

/** `whalemark import FILE|-`: reads sysbench output, shows it and stores it beside our own results. */
export async function importCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, { json: { type: 'boolean' }, name: { type: 'string' } }, 1);
  const source = positionals[0];
  if (source === undefined) throw usage('Name a file with sysbench output, or - for standard input.');
  const text = source === STDIN ? await readImportStream(process.stdin) : await readImportFile(source);
  const runs = importSysbench(text);
  const name = values.name ?? (source === STDIN ? 'pasted text' : basename(source));
  const { path } = await new ImportStore(paths.dataDir).save(name, runs, new Date());
  if (values.json === true) {
    printJson({ runs, stored: path });
  } else {
    print(renderImport(runs));
    note(`Stored: ${path}`);
  }
  return EXIT.done;
}

import { builtInPresets } from '../../benchmark/run/preset-file.ts';
import { parse } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { paths } from '../installation.ts';
import { print } from '../terminal.ts';

/** `whalemark presets` */
export async function presetsCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' } }, 0);
  const presets = await builtInPresets(paths.presetsDir);
  if (values.json === true) {
    print(
      JSON.stringify(
        presets.map(({ id, name, question }) => ({ id, name, question })),
        null,
        2,
      ),
    );
  } else {
    for (const { id, question } of presets) print(`${id}  ${question}`);
  }
  return EXIT.done;
}

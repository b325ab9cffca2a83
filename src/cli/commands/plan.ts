import { EXIT } from '../exit-codes.ts';
import { parsePlanArguments, planFrom } from '../options/plan-options.ts';
import { planText } from '../text/plan-text.ts';
import { print, printJson } from '../text/terminal.ts';

/** `whalemark plan` */
export async function planCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parsePlanArguments(argv);
  const { plan } = await planFrom(positionals[0], values);
  if (values.json === true) printJson(plan);
  else print(planText(plan));
  return EXIT.done;
}

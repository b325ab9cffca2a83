import { RunFold } from '../../src/shared/run/reduce.ts';
import fc from 'fast-check';
import { englishOf } from '../../src/shared/message.ts';
import { parseResult, serializeResult } from '../../src/benchmark/store/result-file.ts';
import { readJournalText } from './support/journal-adapter.ts';
import { journals } from './support/bases.ts';
import { consume } from './support/consumers.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';
import { acceptedOrRefused } from './support/refusal.ts';

const texts = journals.map((lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

fuzz({
  name: 'journal',
  share: 0.5,
  cases: fc.oneof(
    textMutants(texts, [
      '\n{}\n',
      '\nnull\n',
      '\n[]\n',
      '{"type":"window"',
      '\n\n',
      '"type":"run-started"',
      '"at":-1',
    ]),
    // One line is another one.
    fc
      .tuple(fc.nat(journals.length - 1), fc.nat(), valueMutants(journals.flat()))
      .map(([index, at, line]) => withLine(texts[index] ?? '', at, written(line))),
  ),
  judge: async (text) => {
    const journal = await readJournalText(text);
    if (journal === undefined) return 'refused';
    // The journal of a run whose process died is folded, kept, and shown like any other.
    const fold = new RunFold();
    for (const event of journal.events) fold.push(event);
    const { state } = fold;
    if (state === undefined) return 'refused';
    return acceptedOrRefused(() => consume(parseResult(serializeResult(state), 'recovered')), {
      codes: ['RESULT_UNREADABLE'],
      namesPlace: ({ params }) => /^state\.[\w.~ -]+: /.test(englishOf(params['reason'] ?? '')),
    });
  },
});

function withLine(text: string, at: number, line: string): string {
  const lines = text.split('\n');
  lines[at % Math.min(lines.length, 12)] = line;
  return lines.join('\n');
}

import fc from 'fast-check';
import { englishOf } from '../../src/shared/message.ts';
import { parseResult, RESULT_VERSION, serializeResult } from '../../src/benchmark/store/result-file.ts';
import { resultTexts, resultValues } from './support/bases.ts';
import { consume } from './support/consumers.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { acceptedOrRefused, type Refusal } from './support/refusal.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';

/** A reason names a path of fields (the last may have any name), a byte, or the kind of the whole file. */
const refusal: Refusal = {
  codes: ['RESULT_UNREADABLE', 'RESULT_TOO_NEW'],
  namesPlace: ({ code, params: { found, known, reason = '' } }) =>
    code === 'RESULT_TOO_NEW'
      ? Number(found) > RESULT_VERSION && known === String(RESULT_VERSION)
      : /^[\w$.~ -]+: |^([\w$~ -]+\.)+.+: /.test(englishOf(reason)) ||
        (typeof reason === 'object' && reason.code.startsWith('result.')),
};

const PIECES = [
  ...['"version":1,', '"version":3,', '"windows":[', ']}', ']}}', ',', '\n', '"__proto__":{"a":1},'],
  ...['"state":{},', '"histogram":"HISTFAAAAHg="', '1e400', '\\ud800'],
];

fuzz({
  name: 'result',
  isApart: true,
  share: 0.35,
  cases: fc.oneof(
    { weight: 3, arbitrary: valueMutants(resultValues).map((value) => written(value)) },
    { weight: 1, arbitrary: textMutants(resultTexts, PIECES) },
  ),
  judge: (text) =>
    acceptedOrRefused(() => {
      const state = parseResult(text, 'run.json');
      consume(state);
      // A result that was read once is written so that it reads the same again.
      const again = parseResult(serializeResult(state), 'again.json');
      if (JSON.stringify(again) !== JSON.stringify(state)) throw new Error('it changed on its way');
    }, refusal),
});

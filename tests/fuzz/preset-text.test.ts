import fc from 'fast-check';
import { englishOf } from '../../src/shared/message.ts';
import { checkPreset, parsePreset, presetId } from '../../src/benchmark/presets/preset-file.ts';
import { connectionLevels, presetScenarios } from '../../src/shared/model/preset.ts';
import { editedText } from '../../src/renderer/wizard/preset-text.ts';
import { smallForm } from '../../src/benchmark/presets/small-form.ts';
import { baselineEdits, gridEdits, nativeEdits, serverEdits } from '../../src/renderer/wizard/choices.ts';
import { Draft, readDraft } from '../../src/renderer/wizard/draft.ts';
import { presetTexts, presetValues } from './support/bases.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { acceptedOrRefused, type Refusal } from './support/refusal.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';

/** A bomb of aliases: each line is ten times the line before. */
const BOMB = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'[index] ?? 'a';
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`;
  }),
].join('\n');

const PIECES = [
  ...[`\n${BOMB}\n`, '\n<<: *server\n', '\n<<: [*server, *server]\n', '\n? [complex, key]\n: value\n'],
  ...['\n---\n', '\n...\n', '%YAML 1.1\n---\n', '\n!!js/function x: 1\n', ' !!binary aGk='],
  ...[' !!set {a, b}', ' !!timestamp 2026-01-01', ' &anchor ', ' *anchor ', ' *server'],
  ...['\nwhalemark: 1\n', '\nwhalemark: 2\n', '\nname: twice\n', '\n__proto__: { polluted: 1 }\n'],
  ...['\nconstructor: { prototype: { polluted: 1 } }\n', '\n\tindented: with a tab\n', ' |+\n  block\n'],
  ...[' >-\n', `${'['.repeat(3000)}`, `${'{a: '.repeat(3000)}`, `${'- '.repeat(3000)}`],
  ...['\n  paths: [published-port, published-port]\n', '\nunknown: 1\n'],
];

const texts = fc.oneof(
  { weight: 1, arbitrary: textMutants(presetTexts, PIECES) },
  { weight: 1, arbitrary: valueMutants(presetValues).map((value) => written(value)) },
);

/** Each piece of evidence names a line or a field. */
const refusal: Refusal = {
  codes: ['PRESET_INVALID'],
  namesPlace: ({ evidence }) =>
    evidence.length > 0 && evidence.every((one) => /^(?:line \d+: |[^\s:][^:]*: )/.test(englishOf(one))),
};

fuzz({
  name: 'preset',
  isApart: true,
  share: 0.5,
  cases: texts,
  judge: (text) =>
    acceptedOrRefused(() => {
      const preset = parsePreset(text, 'mine.yaml');
      presetScenarios(preset);
      connectionLevels(preset);
      const small = smallForm(preset);
      if (small !== undefined) checkPreset(small, preset.id);
      if ('polluted' in {}) throw new Error('a prototype was changed');
    }, refusal),
});

fuzz({
  name: 'wizard',
  // The judge reads the id, the draft, the text to edit, and the edited text.
  reads: 4,
  share: 0.4,
  cases: texts,
  judge: (text) => {
    presetId(text, 'mine.yaml');
    const { draft } = readDraft(text);
    // Edits don't change a text that isn't YAML.
    const shown = draft ?? new Draft({});
    const edited = editedText(text, [
      { path: ['server', 'settings', 'bufferPool'], value: 64 },
      { path: ['small', 'scale'], value: undefined },
      ...gridEdits(shown, 'storages', 'tmpfs', true),
      ...nativeEdits(shown, true),
      ...serverEdits(shown, ['mysql:8.4', 'mariadb:11.8']),
      ...baselineEdits(shown),
    ]);
    if (draft === null) return 'refused';
    readDraft(edited);
    return 'accepted';
  },
});

import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { messageOf } from '../../src/shared/errors.ts';
import { asSentence } from '../../src/shared/words/effect-wording.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { problemsOf, type Problem, type Repository } from './problem.ts';

/** The page's last example must be a valid preset. */
function presetExample({ read }: Repository): string[] {
  const page = read('docs/reference/presets.md');
  const example = [...page.matchAll(/```yaml\n(.*?)```/gs)].at(-1)?.[1] ?? '';
  return problemIn(() => parsePreset(example, 'its last example'));
}

function problemIn(action: () => unknown): string[] {
  try {
    action();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function textsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsOf) : [];
}

function unknownLabels(guide: string, { read }: Repository): string[] {
  const [messages, ...others] = ['messages', 'ui', 'report'].map(
    (name) => JSON.parse(read(`src/shared/locales/en/${name}.json`)) as Partial<Record<string, unknown>>,
  );
  const kinds = [messages?.['storage'], messages?.['path']].flatMap(textsOf);
  const labels = [
    ...[messages?.['choice'], ...others].flatMap(textsOf),
    ...kinds.map((name) => asSentence(name, ENGLISH)),
  ]
    // “{{size}} of {{total}}” would match words that no screen shows.
    .filter((text) => !text.startsWith('{{'))
    .map((text) => text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .map((parts) => new RegExp(`^${parts.join('.+')}$`));
  // The page bolds its own word for bold, and the sign next to figures.
  const signs = new Set(['bold', '?']);
  const bold = [...read(guide).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
  return [...new Set(bold)].filter(
    (words) => !signs.has(words) && !labels.some((label) => label.test(words)),
  );
}

export function referenceProblems(repository: Repository): Problem[] {
  return [
    ...problemsOf('docs/reference/presets.md', presetExample(repository)),
    ...['docs/tutorial.md', 'docs/reference/new-comparison.md'].flatMap((guide) =>
      problemsOf(
        guide,
        unknownLabels(guide, repository).map((words) => `the app shows no “${words}”`),
      ),
    ),
  ];
}

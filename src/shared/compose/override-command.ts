import { isEntrypoint, isServerProgram, takesNextWord } from '../options/command-words.ts';
import { serverOption } from '../options/option.ts';
import { serverImage } from './image.ts';
import type { ComposeService } from './model.ts';
import { refused } from './refusal.ts';
import type { WrittenService } from './surroundings.ts';

/** Other words stay as written; throws a Refusal if the options don't reach the server. */
export function commandWith(
  options: readonly string[],
  service: ComposeService,
  written: WrittenService | undefined,
): string[] {
  const image = service.image ?? '';
  if (serverImage(image)?.startsItself === true) throw refused('image', { image });
  const [first, ...others] = service.entrypoint ?? [];
  if (first !== undefined && (others.length > 0 || !isEntrypoint(first))) throw refused('entrypoint');
  const words = service.command ?? [];
  const program = isEntrypoint(words[0] ?? '') ? words[1] : words[0];
  if (program !== undefined && !program.startsWith('-') && !isServerProgram(program))
    throw refused('command');
  const own = written?.command ?? [];
  // A variable may hold several words.
  if (own.length !== words.length) throw refused('variable');
  return replaced(own, options);
}

function replaced(words: readonly string[], options: readonly string[]): string[] {
  const wanted = new Set(options.map(nameOf));
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const name = nameOf(word);
    if (name === undefined || !wanted.has(name)) kept.push(word);
    else if (takesNextWord(word, words[index + 1])) index += 1;
  }
  return [...kept, ...options];
}

function nameOf(word: string): string | undefined {
  return serverOption(word)?.name;
}

import { posix } from 'node:path';
import { FOLDER, LIST, MOST_BYTES, outdatedTexts } from '../screenshots/texts.mjs';
import type { Problem, Repository } from './problem.ts';

export function screenProblems({ files, read, bytes }: Repository): Problem[] {
  const pictures = [...files].filter((file) => posix.dirname(file) === FOLDER && file !== LIST);
  return pictures.flatMap((file) => {
    const texts = outdatedTexts(posix.basename(file), read)?.map(
      (text) => `shows “${text}”, which the app doesn’t say any more: npm run screenshots -- --stale`,
    );
    return [
      ...(texts ?? [`${LIST} has no texts of this picture: npm run screenshots -- --stale`]),
      ...(bytes(file) > MOST_BYTES ? [`a moving picture has at most ${MOST_BYTES} bytes`] : []),
    ].map((problem) => ({ file, problem }));
  });
}

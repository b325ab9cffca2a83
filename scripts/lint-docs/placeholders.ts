import { problemsOf, type Problem, type Repository } from './problem.ts';

/** Placeholders that a person replaces before the first release; docs/dev/releases.md lists them. */
const PLACEHOLDERS: Record<string, RegExp> = {
  'README.md': /\bOWNER\b/,
  'README.zh-CN.md': /\bOWNER\b/,
  'CODE_OF_CONDUCT.md': /\bCONTACT\b/,
};

export function placeholderProblems({ read }: Repository, isTagged: boolean): Problem[] {
  return Object.entries(PLACEHOLDERS).flatMap(([file, pattern]) => {
    const found = isTagged ? pattern.exec(read(file)) : null;
    return found === null ? [] : problemsOf(file, [`replace ${found[0]} before a release`]);
  });
}

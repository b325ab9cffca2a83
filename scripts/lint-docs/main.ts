import process from 'node:process';
import { errorProblems } from './error-pages.ts';
import { localeProblems } from './locales.ts';
import { madeProblems, writeMadeParts } from './made-parts.ts';
import { pagesProblems } from './pages.ts';
import { screenProblems } from './pictures.ts';
import { placeholderProblems } from './placeholders.ts';
import { repositoryIn, type Repository } from './problem.ts';
import { referenceProblems } from './reference-pages.ts';
import { wordProblems } from './plain-words.ts';
import { workflowProblems } from './workflows.ts';

const repository = repositoryIn(process.cwd());
if (process.argv.includes('--write')) writeMadeParts(process.cwd(), repository);
const problems = [
  pagesProblems,
  screenProblems,
  errorProblems,
  madeProblems,
  referenceProblems,
  localeProblems,
  workflowProblems,
  wordProblems,
  (all: Repository) => placeholderProblems(all, process.env['GITHUB_REF_TYPE'] === 'tag'),
].flatMap((check) => check(repository));
for (const { file, line, problem } of problems) {
  process.stdout.write(`${file}${line === undefined ? '' : `:${line}`}: ${problem}\n`);
}
const noun = problems.length === 1 ? 'problem' : 'problems';
const count = problems.length === 0 ? 'no problem' : `${problems.length} ${noun}`;
process.stdout.write(`documents, texts, and workflows: ${count}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

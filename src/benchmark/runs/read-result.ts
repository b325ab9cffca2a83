import type { Message } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { viewOf } from '../../shared/run/run-view.ts';
import { answerOf, readApart } from '../reading/reader.ts';
import { readResultHere } from './stored-result.ts';
import { viewFromText, viewText } from './view-file.ts';

interface ResultAt {
  path: string;
  name: string;
}

/** Gzipped or not. Rejects with RESULT_UNREADABLE or RESULT_TOO_NEW. */
export function readResultFile(path: string, name: string): Promise<RunState> {
  return readApart('result', resultHere, { path, name }, tooMuch(name));
}

export async function readResultView(path: string, name: string): Promise<RunView> {
  const text = await answerOf('result-view', { path, name }, tooMuch(name));
  return text === undefined ? viewOf(await readResultHere(path, name)) : viewFromText(text);
}

export function resultHere({ path, name }: ResultAt): Promise<RunState> {
  return readResultHere(path, name);
}

export async function resultViewText({ path, name }: ResultAt): Promise<string> {
  return viewText(viewOf(await readResultHere(path, name)));
}

function tooMuch(name: string): (reason: Message) => BenchmarkError {
  return (reason) => new BenchmarkError('RESULT_UNREADABLE', { name, reason });
}

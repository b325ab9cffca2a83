import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ClientStreams, CommandedClient } from '../../../../../src/benchmark/load/client/clients.ts';
import {
  commandSchema,
  parseLine,
  toLine,
  type Answer,
  type Command,
} from '../../../../../src/benchmark/load/client/protocol.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';
import type { LoadEvent } from '../../../../../src/benchmark/load/load-client.ts';
import { buildSpec, buildTotals, buildWindow, TARGET } from '../samples.ts';
import { inReferences } from '../../../../helpers/references.ts';

const spec = buildSpec();
const never = (): AbortSignal => new AbortController().signal;
const check = (client: CommandedClient) =>
  client.check(TARGET, { path: 'p', budgetMs: 1000, times: 1, signal: never() });

/** A client that is played by the test: `onCommand` gets its commands. */
function playedClient(onCommand: (command: Command, tell: (answer: Answer) => void) => void, ready = true) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const tell = (answer: Answer): void => void stdout.write(toLine(answer));
  const commands: Command[] = [];
  stdin.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const command = parseLine(commandSchema, line);
      if (command === undefined) throw new Error(`not a command: ${line}`);
      commands.push(command);
      onCommand(command, tell);
    }
  });
  if (ready) tell({ type: 'ready' });
  const streams: ClientStreams = { stdin, stdout, stderr, ended };
  return { streams, commands, stdout, stderr, end };
}

describe('CommandedClient', () => {
  it('passes on phases and windows and resolves with the totals', async () => {
    const window = buildWindow();
    const totals = buildTotals();
    const { streams, commands } = playedClient((command, tell) => {
      if (!('id' in command)) return;
      const { id } = command;
      if (command.type === 'open') tell({ type: 'opened', id });
      if (command.type === 'close') tell({ type: 'closed', id });
      if (command.type !== 'slice') return;
      tell({ type: 'phase', id, phase: 'measure' });
      tell({ type: 'window', id, window });
      tell({ type: 'done', id, totals });
    });
    const events: LoadEvent[] = [];
    const loadGenerator = new CommandedClient(streams);
    expect(await loadGenerator.run(spec, (event) => events.push(event), never())).toEqual(totals);
    expect(events).toEqual([
      { type: 'phase', phase: 'connect' },
      { type: 'phase', phase: 'measure' },
      { type: 'window', window },
    ]);
    expect(commands.map(({ type }) => type)).toEqual(['open', 'slice', 'close']);
  });

  it('is lost at the first line that is no answer, however many follow', async () => {
    const { streams, stdout } = playedClient(() => undefined);
    const took = await inReferences(async () => {
      stdout.write(`first\n${'nonsense\n'.repeat(100_000)}`);
      const lost = { code: 'CLIENT_LOST', evidence: ['first'] };
      await expect(check(new CommandedClient(streams))).rejects.toMatchObject(lost);
      await new Promise((resolve) => setImmediate(resolve));
    });
    // Once, each line became an error with all lines before it.
    expect(took, 'times the reference work').toBeLessThan(100);
  });

  it('keeps commands apart that run at the same time', async () => {
    const asked: number[] = [];
    const { streams } = playedClient((command, tell) => {
      if (command.type !== 'check') return;
      asked.unshift(command.id);
      if (asked.length < 2) return;
      for (const id of asked) tell({ type: 'checked', id, checked: { connectUs: id, roundTripUs: 0 } });
    });
    const loadGenerator = new CommandedClient(streams);
    const checked = await Promise.all([check(loadGenerator), check(loadGenerator)]);
    expect(checked.map(({ connectUs }) => connectUs)).toEqual([asked[1], asked[0]]);
  });

  it('tells the client to stop and waits for its answer', async () => {
    const abort = new AbortController();
    const { streams, commands } = playedClient((command, tell) => {
      if (command.type === 'open') setImmediate(() => abort.abort());
      if (command.type !== 'stop') return;
      const evidence = ['said by the client'];
      const error = new BenchmarkError('STOPPED', {}, { evidence }).toData();
      tell({ type: 'failed', id: command.id, error });
    });
    const run = new CommandedClient(streams).run(spec, () => undefined, abort.signal);
    await expect(run).rejects.toMatchObject({ code: 'STOPPED', evidence: ['said by the client'] });
    expect(commands.map(({ type }) => type)).toEqual(['open', 'stop']);
  });

  it('does not wait long for a client that does not stop', async () => {
    const abort = new AbortController();
    const { streams } = playedClient((command) => {
      if (command.type === 'open') abort.abort();
    });
    const run = new CommandedClient(streams).run(spec, () => undefined, abort.signal);
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it.each(['garbage', '{"type":"window","id":1}'])('loses a client that says %j', async (line) => {
    const { streams, stdout } = playedClient((command) => {
      if (command.type === 'open') stdout.write(`${line}\n`);
    });
    const loadGenerator = new CommandedClient(streams);
    const lost = { code: 'CLIENT_LOST', evidence: [line] };
    await expect(loadGenerator.run(spec, () => undefined, never())).rejects.toMatchObject(lost);
    // The client stays lost.
    await expect(check(loadGenerator)).rejects.toMatchObject(lost);
  });

  it('loses a client that ends, and then stops its work, which nobody wanted, with its last words', async () => {
    const { streams, stderr, end } = playedClient((command, tell) => {
      if (command.type !== 'open') return;
      tell({ type: 'failed', id: command.id, error: new BenchmarkError('STOPPED').toData() });
      end();
      setImmediate(() => stderr.end('first\nout of memory\n'));
    });
    const run = new CommandedClient(streams).run(spec, () => undefined, never());
    const evidence = ['first', 'out of memory'];
    await expect(run).rejects.toMatchObject({
      code: 'CLIENT_LOST',
      params: { reason: 'it ended' },
      evidence,
    });
  });
});

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { serveCommands } from '../../../../../src/benchmark/load/client/command-server.ts';
import {
  answerSchema,
  parseLine,
  toLine,
  type Answer,
  type Command,
} from '../../../../../src/benchmark/load/client/protocol.ts';
import { TARGET } from '../samples.ts';

function serve() {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveCommands({ input, output, workerFile: 'none' });
  // Some tests end before it does.
  served.catch(() => undefined);
  const answers: Answer[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  output.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const answer = parseLine(answerSchema, line);
      if (answer === undefined) throw new Error(`not an answer: ${line}`);
      const next = waiting.shift();
      if (next === undefined) answers.push(answer);
      else next(answer);
    }
  });
  return {
    input,
    served,
    tell: (command: Command) => void input.write(toLine(command)),
    next: (): Promise<Answer> => {
      const answer = answers.shift();
      return answer === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(answer);
    },
  };
}

const check = (id: number, port: number, budgetMs: number): Command => ({
  type: 'check',
  id,
  target: { ...TARGET, port },
  path: 'test',
  budgetMs,
  times: 1,
});

describe('serveCommands', () => {
  it('stops one command and leaves the other alone, until its input ends', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { input, served, tell, next } = serve();
    await next();
    tell(check(1, port, 60_000));
    tell(check(2, port, 60_000));
    tell({ type: 'stop', id: 1 });
    expect(await next()).toMatchObject({ type: 'failed', id: 1, error: { code: 'STOPPED' } });
    tell({ type: 'stop', id: 99 });
    input.end();
    expect(await next()).toMatchObject({ type: 'failed', id: 2, error: { code: 'STOPPED' } });
    await served;
    silent.close();
  });

  it('gives up on a line that is no command', async () => {
    const { input, served } = serve();
    input.write('{"type":"dance"}\n');
    await expect(served).rejects.toThrow('not a command: {"type":"dance"}');
  });
});

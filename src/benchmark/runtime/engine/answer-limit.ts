import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type Dockerode from 'dockerode';
import { BenchmarkError } from '../../../shared/errors.ts';
import { msg } from '../../../shared/message.ts';

const MOST_MIB = 32;

interface Modem {
  buildRequest(options: { agent: Agent }, context: { isStream?: boolean }, ...rest: unknown[]): void;
}

/** `node:http` calls this method, which its types lack. */
interface Sender {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/** Only answers that docker-modem collects are limited. */
export function limitAnswers(docker: Dockerode): void {
  const modem = docker.modem as unknown as Modem;
  const build = modem.buildRequest.bind(modem);
  modem.buildRequest = (options, context, ...rest) => {
    const agent = options.agent as Agent & Sender;
    const addRequest: Sender['addRequest'] = (request, ...more) => {
      request.once('response', (answer: IncomingMessage) => {
        const isCollected = context.isStream !== true || (answer.statusCode ?? 0) >= 300;
        if (isCollected) limitAnswer(request, answer);
      });
      agent.addRequest(request, ...more);
    };
    build(
      { ...options, agent: Object.create(agent, { addRequest: { value: addRequest } }) as Agent },
      context,
      ...rest,
    );
  };
}

function limitAnswer(request: ClientRequest, answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MOST_MIB * 2 ** 20 || answer.destroyed) return;
    const reason = msg('engine.longAnswer', { count: MOST_MIB });
    const error = new BenchmarkError('ENDPOINT_BAD_ANSWER', { endpoint: 'The engine', reason });
    // docker-modem listens only to the request, and to a stream's answer.
    request.emit('error', error);
    answer.on('error', () => undefined).destroy(error);
  });
}

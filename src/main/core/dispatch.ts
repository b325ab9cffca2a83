import { type Core, type CoreMessage, coreMessageSchema } from '../../shared/contract/ipc.ts';
import { toErrorData } from '../../shared/errors.ts';

type Handler = (params: unknown) => Promise<unknown>;

export function createDispatcher(
  core: Core,
  post: (message: CoreMessage) => void,
): (message: unknown) => Promise<void> {
  return async (raw) => {
    const message = coreMessageSchema.parse(raw);
    if (message.kind !== 'request') return;
    const { id } = message;
    try {
      const value = await handlerOf(core, message.name)(message.params);
      post({ kind: 'answer', id, envelope: { ok: true, value } });
    } catch (error) {
      post({ kind: 'answer', id, envelope: { ok: false, error: toErrorData(error) } });
    }
  };
}

function handlerOf(core: Core, name: string): Handler {
  if (!isCoreRequest(core, name)) throw new Error(`the core has no request “${name}”`);
  return core[name] as Handler;
}

function isCoreRequest(core: Core, name: string): name is keyof Core {
  return Object.hasOwn(core, name);
}

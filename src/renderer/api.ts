import type { Answer, Params, RequestName, WhalemarkApi } from '../shared/contract/ipc.ts';
import { messageOf, type ErrorData } from '../shared/errors.ts';

declare global {
  interface Window {
    readonly whalemark: WhalemarkApi;
  }
}

export class RequestError extends Error {
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.message);
    this.name = 'RequestError';
    this.data = data;
  }
}

export async function request<N extends RequestName>(name: N, params: Params<N>): Promise<Answer<N>> {
  const envelope = await window.whalemark.request(name, params);
  if (!envelope.ok) throw new RequestError(envelope.error);
  return envelope.value;
}

export function errorDataOf(error: unknown): ErrorData {
  if (error instanceof RequestError) return error.data;
  const reason = messageOf(error);
  return { code: 'INTERNAL', message: reason, hint: '', evidence: [], params: { reason } };
}

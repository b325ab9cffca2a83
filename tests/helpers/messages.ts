import type { Message } from '../../src/shared/message.ts';

/** A message that no version knows: its English words are all there is. */
export function plain(text: string): Message {
  return { code: 'test.plain', params: {}, text };
}

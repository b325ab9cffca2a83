import { expect } from 'vitest';
import type { Message } from '../../src/shared/message.ts';

/** Matches a message whose English text does. */
export function saying(text: string | RegExp): Message {
  return expect.objectContaining({ text: expect.stringMatching(text) as string }) as Message;
}

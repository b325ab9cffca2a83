import { msg, type Message, type MessageCode } from '../message.ts';

export class Refusal extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(reason.text);
    this.reason = reason;
  }
}

type Reason = MessageCode extends infer C ? (C extends `override.refused.${infer R}` ? R : never) : never;

export function refused(reason: Reason, params: Message['params'] = {}): Refusal {
  return new Refusal(msg(`override.refused.${reason}`, params));
}

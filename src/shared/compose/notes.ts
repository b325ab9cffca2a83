import type { Message } from '../message.ts';

/** Warnings about a service that is read, and the first reason why it can't be measured. */
export class Notes {
  readonly warnings: Message[] = [];
  refusal: Message | null = null;

  warn(message: Message): void {
    this.warnings.push(message);
  }

  refuse(message: Message): void {
    this.refusal ??= message;
  }
}

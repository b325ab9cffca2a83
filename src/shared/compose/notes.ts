import type { Message } from '../message.ts';

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

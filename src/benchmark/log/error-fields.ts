import type { ErrorData } from '../../shared/errors.ts';
import type { LogFields } from './log.ts';

/** What the log tells of an error. The values inside its message stand in the message, and its hint follows from its code. */
export function errorFields({ code, message, evidence }: ErrorData): LogFields {
  return { code, text: message, ...(evidence.length === 0 ? {} : { evidence }) };
}

import { describe, expect, it } from 'vitest';
import { BenchmarkError, errorMessage, ERROR_PARAMS, type ErrorCode } from '../../../../src/shared/errors.ts';
import { listOf, messageSchema, msg } from '../../../../src/shared/message.ts';
import { createTranslator, ENGLISH, errorText, messageText } from '../../../../src/shared/words/i18n.ts';
import { plain } from '../../../helpers/messages.ts';
import { storageName } from '../../../../src/shared/words/labels.ts';

const CHINESE = createTranslator('zh-CN');

describe('messageText', () => {
  const cleanup = (count: number) => msg('notice.cleanupIncomplete', { what: msg('rounds', { count }) });

  it('says a message with the values inside, which may be messages', () => {
    expect(messageText(cleanup(1), CHINESE)).toBe('有些资源未能删除，Whalemark 会在下次启动时删除：1 轮');
    for (const count of [1, 2]) expect(messageText(cleanup(count), ENGLISH)).toBe(cleanup(count).text);
    expect(cleanup(1).text).toMatch(/1 round$/);
  });

  it('says the parts of a list', () => {
    expect(messageText(listOf([msg('native.noAnswer'), 'x']), CHINESE)).toBe(
      '--version 没有及时输出内容。；x',
    );
  });

  it('says an error inside a message', () => {
    const busy = new BenchmarkError('BUSY').toData();
    const inside = msg('notice.journalStuck', { reason: errorMessage(busy) });
    expect(messageText(inside, CHINESE)).toContain(errorText(busy, CHINESE).message.replace(/。$/, ''));
  });

  it('keeps the words of other programs, and of a message that a newer version wrote', () => {
    expect(messageText('Too many connections', CHINESE)).toBe('Too many connections');
    expect(messageText(messageSchema.parse(plain('So it is.')), CHINESE)).toBe('So it is.');
    expect(messageText({ code: 'error.NEW_ONE', params: {}, text: 'New.' }, CHINESE)).toBe('New.');
  });
});

describe('errorText', () => {
  const t = CHINESE;

  it('says each error with its values', () => {
    for (const code of Object.keys(ERROR_PARAMS) as ErrorCode[]) {
      const params = Object.fromEntries(ERROR_PARAMS[code].map((name) => [name, `«${name}»`]));
      const { message, hint } = errorText(new BenchmarkError(code, params).toData(), t);
      for (const name of ERROR_PARAMS[code]) expect(message + hint, code).toContain(`«${name}»`);
      expect(message + hint).not.toContain('{{');
    }
  });

  it('says words of the core among the values', () => {
    const error = new BenchmarkError('STORAGE_FULL', {
      storage: storageName({ kind: 'bind-mount' }),
      reason: msg('support.podmanSwarm'),
    });
    expect(errorText(error.toData(), t).message).toMatch(
      /“绑定挂载”.*：overlay 网络需要 swarm，而 Podman 没有 swarm。$/,
    );
  });

  it('keeps the words of an error that it does not know, or that lacks a value', () => {
    const data = {
      code: 'STORAGE_FULL',
      message: 'It is full.',
      hint: 'Empty it.',
      evidence: [],
      params: {},
    };
    expect(errorText(data, t)).toMatchObject({ message: 'It is full.', hint: 'Empty it.' });
    expect(errorText({ ...data, code: 'NEW_ONE' }, t).message).toBe('It is full.');
  });

  it('is what the error says itself in English', () => {
    const data = new BenchmarkError('BUSY').toData();
    expect(errorText(data, ENGLISH)).toEqual({
      message: data.message,
      hint: data.hint,
      evidence: [],
    });
  });
});

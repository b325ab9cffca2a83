import { describe, expect, it, vi } from 'vitest';
import { mainRequests, type RequestName, requests } from '../../../src/shared/contract/ipc.ts';
import { createRouter, type AskCore, type MainHandlers } from '../../../src/main/requests/router.ts';
import { SAMPLES } from '../shared/contract/requests/samples.ts';
import { limitsOf, schemaOf, wrongParams } from '../shared/contract/requests/wrong.ts';

/** A router in front of handlers that accept everything: `passed` sees each request that gets through. */
function door() {
  const passed = vi.fn<(name: string, params: unknown) => void>();
  const answer = { ok: true, value: undefined } as const;
  const askCore: AskCore = (name, params) => {
    passed(name, params);
    return Promise.resolve(answer);
  };
  const handlers = Object.fromEntries(
    Object.keys(mainRequests).map((name) => [
      name,
      (params: unknown) => {
        passed(name, params);
        return Promise.resolve(undefined);
      },
    ]),
  );
  return { route: createRouter(askCore, handlers as unknown as MainHandlers), passed };
}

describe.each(Object.keys(requests) as RequestName[])('the window asks %s', (name) => {
  it('and is heard with sound parameters', async () => {
    const { route, passed } = door();
    await route(name, SAMPLES[name]);
    expect(passed).toHaveBeenCalledExactlyOnceWith(name, SAMPLES[name]);
  });

  it('and is refused with any that are wrong, before anybody sees them', async () => {
    const { route, passed } = door();
    const wrong = wrongParams(name);
    expect(wrong.length).toBeGreaterThan(10);
    for (const { what, params } of wrong) {
      const answer = await route(name, params);
      expect(answer, what).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
    }
    expect(passed.mock.calls).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('the contract', () => {
  it('has a limit for every text and every list that the window may send', () => {
    for (const name of Object.keys(requests) as RequestName[]) {
      for (const { at, limit } of limitsOf(schemaOf(name))) {
        expect(limit, `${name} ${at}`).toBeLessThanOrEqual(64 * 2 ** 20);
      }
    }
  });

  it('takes no key that it does not know', () => {
    for (const name of Object.keys(requests) as RequestName[]) {
      expect(schemaOf(name), name).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('lets the window name no file: paths are main’s to ask for', () => {
    const named = (Object.keys(requests) as RequestName[]).filter((name) =>
      limitsOf(schemaOf(name)).some(({ at }) => /path|file|folder|dir/i.test(at)),
    );
    expect(named).toEqual([]);
  });
});

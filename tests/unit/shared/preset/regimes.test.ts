import { describe, expect, it } from 'vitest';
import { regimeName, serverKey, withoutTail } from '../../../../src/shared/preset/regimes.ts';

describe('regimes', () => {
  it('are called like the preset’s own server in them, commas included', () => {
    const setups = [
      { id: 'maria.cold', name: 'MariaDB, Big, cold' },
      { id: 'default.cold', name: 'Big, cold' },
    ];
    expect(regimeName(setups, 'cold')).toBe('Big, cold');
  });

  it('are called like what the names of all named servers end with', () => {
    const setups = [
      { id: 'maria.cold', name: 'MariaDB, Big, cold' },
      { id: 'percona.cold', name: 'Percona, Big, cold' },
      { id: 'percona.warm', name: 'Percona, Small, warm' },
    ];
    expect(regimeName(setups, 'cold')).toBe('Big, cold');
    // Of one name alone nobody knows where the server's ends; it never is all of it.
    expect(regimeName(setups, 'warm')).toBe('warm');
    expect(regimeName(setups, 'none')).toBe('none');
  });

  it('are no part of a server', () => {
    expect(serverKey({ setupId: 'default.io', regime: 'io' })).toBe('default');
    expect(serverKey({ setupId: 'maria', regime: null })).toBe('maria');
    expect(serverKey({ setupId: 'radio', regime: 'io' })).toBe('radio');
    expect([withoutTail('abc', 'bc'), withoutTail('abc', 'ab'), withoutTail('abc', '')]).toEqual([
      'a',
      'abc',
      'abc',
    ]);
  });
});

import { expect, it } from 'vitest';
import { draftBefore, type Draft } from '../../../src/renderer/state/draft-before.ts';

const changed: Draft = { text: 'id: mine\nname: Changed', saved: 'id: mine', presetId: undefined };
const untouched: Draft = { text: 'id: new', saved: 'id: new', presetId: undefined };
const none: Draft = { text: '', saved: '', presetId: undefined };

it('what had changes that were not saved can be gone back to', () => {
  expect(draftBefore(changed, undefined)).toBe(changed);
  expect(draftBefore({ ...untouched, text: 'id: newer' }, changed)?.text).toBe('id: newer');
});

it('what had none does not push it out: starting anew twice loses nothing', () => {
  const afterFirst = draftBefore(changed, undefined);
  expect(draftBefore(untouched, afterFirst)).toBe(changed);
});

it('where nothing was changed there is nothing to go back to', () => {
  expect(draftBefore(none, undefined)).toBeUndefined();
  expect(draftBefore(untouched, undefined)).toBeUndefined();
  expect(draftBefore({ ...untouched, presetId: 'new' }, undefined)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { agreed } from '../../../../src/cli/run/agreed.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Consent } from '../../../../src/shared/model/plan.ts';

function asked(needs: readonly Consent[], allowed: readonly Consent[], answer: boolean | 'no terminal') {
  const questions: string[] = [];
  const plan = { consents: needs.map((consent) => ({ consent, message: msg('consent.ownCommand') })) };
  const terminal = {
    canAsk: () => answer !== 'no terminal',
    confirm: (question: string) => {
      questions.push(question);
      return Promise.resolve(answer === true);
    },
  };
  return agreed(plan, allowed, terminal).then((given) => ({ given, asks: questions.length }));
}

it.each([
  ['asks in a terminal, and takes a yes', true, { given: ['own-command'], asks: 1 }],
  ['takes anything else for a no', false, { given: [], asks: 1 }],
  ['doesn’t ask a script', 'no terminal', { given: [], asks: 0 }],
] as const)('before it runs a command, it %s', async (_, answer, expected) => {
  expect(await asked(['own-command'], [], answer)).toEqual(expected);
});

it('asks about nothing else, and not about what --allow confirms', async () => {
  expect(await asked(['host-network', 'swarm'], ['swarm'], true)).toEqual({ given: ['swarm'], asks: 0 });
  expect(await asked(['own-command'], ['own-command'], false)).toEqual({ given: ['own-command'], asks: 0 });
});

import { describe, expect, it } from 'vitest';
import { Cleaner } from '../../../../src/benchmark/privacy/cleaner.ts';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import { plain } from '../../../helpers/messages.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { imageText } from '../../../../src/shared/words/provenance.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { sampleState } from '../../builders.ts';

const OWN = [
  'registry.corp.internal:5000/payments/mysql:8.4',
  'corp.internal/payments/mysql@sha256:' + 'a'.repeat(64),
  'harbor:8443/payments/mysql:8.4',
  'localhost:5000/payments/mysql:8.4',
  '10.1.2.3:5000/payments/mysql:8.4',
  '123456789012.dkr.ecr.eu-central-1.amazonaws.com/payments/mysql:8.4',
];
const PUBLIC = ['mysql:8.4', 'bitnami/mysql:8.4', 'ghcr.io/acme/mysql:8.4', 'docker.io/library/mysql:8.4'];
const cleaner = new Cleaner({ dataDir: '/data', homeDirectory: '/home/ada', names: {} });
const TELLING = /corp\.internal|harbor|payments|:5000\/|123456789012/;

/** A run in which everything that can name an image names this one. */
function runOf(image: string): RunState {
  const text = JSON.stringify(sampleState()).replaceAll('mysql:8.4', image);
  const state = JSON.parse(text) as RunState;
  const { plan } = state;
  const said = plain(`pull access denied for ${image.replace(/[:@][^/]*$/, '')}, ${image}`);
  return {
    ...state,
    plan: {
      ...plan,
      configs: plan.configs.map((config) => ({ ...config, image: { ...config.image, used: image } })),
      toPrepare: [{ kind: 'build', reference: `${image}-client`, bytes: null, base: image }],
      clientImage: { reference: image, reason: said },
      task: { kind: 'command', limitSeconds: 60, image },
      notices: [{ code: 'IMAGE_SUBSTITUTED', message: said }],
    },
    notices: [{ code: 'IMAGE_SUBSTITUTED', message: said }],
  };
}

describe('an image of a registry that not everyone may read', () => {
  it.each(OWN)('%s is in no log, and in no shared result, except if addresses are included', (image) => {
    const { state, sharing } = shareable(runOf(image));
    expect(JSON.stringify(state)).not.toMatch(TELLING);
    expect(sharing.leftOut.address).toBeGreaterThan(0);
    const [config] = state.plan.configs;
    expect(config && imageText(config.image, createTranslator('en'))).toMatch(/MySQL.*own image/);
    expect(JSON.stringify(shareable(runOf(image), {}, ['address']).state)).toContain(image);
    for (const line of [`image resolved {"reference":"${image}"}`, `pull of ${image}: denied`]) {
      expect(cleaner.text(line)).not.toMatch(TELLING);
    }
  });

  it('is told from another one', () => {
    const state = runOf('corp.internal/payments/mysql:8.4');
    const [config] = state.plan.configs;
    if (config === undefined) throw new Error('the sample has no server');
    const image = { ...config.image, requested: 'corp.internal/a/b:1', used: 'corp.internal/a/b:1' };
    const configs = [config, { ...config, id: 'other', image }];
    const shared = shareable({ ...state, plan: { ...state.plan, configs } }).state.plan.configs;
    expect(new Set(shared.map(({ image: { used } }) => used)).size).toBe(2);
  });
});

it.each(PUBLIC)('%s stays, in fields and texts', (image) => {
  const { state } = shareable(runOf(image));
  expect(state.plan.configs.map(({ image: { used } }) => used)).toContain(image);
  expect(state.notices[0]?.message).toMatchObject({ text: expect.stringContaining(image) as string });
});

it.each(['8.4/8.0', 'conf.d/a.cnf', 'and/or', '12:30/13:30', 'main.cjs:12:5', '4 ms/10.5 ms'])(
  'a text with %s is none of an image',
  (text) => expect(cleaner.text(text)).toBe(text),
);

import { describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { comparisonsOf } from '../../../../src/shared/analysis/comparisons.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { planIn, presetIn, runIn } from '../../../../src/shared/words/plan-in-words.ts';
import { headlineText, verdictLabel, whereText } from '../../../../src/shared/words/wording.ts';
import { demoState, makePlan, makeState } from '../../builders.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';

describe('planIn and runIn', () => {
  const reason = msg('support.podmanSwarm');
  const plan = makePlan({
    preset: {
      id: 'docker-options',
      name: 'Docker storage and network',
      question: 'Which Docker storage and network slow my MySQL down?',
    },
    excluded: [{ storage: 'tmpfs', path: 'overlay', reason }],
  });

  it('say a plan in Chinese, once', () => {
    const chinese = planIn(plan, 'zh-CN');
    expect(chinese.preset).toMatchObject({ name: 'Docker 存储与网络' });
    expect(planIn(plan, 'zh-CN')).toBe(chinese);
    expect(planIn(plan, 'en')).toBe(plan);
  });

  it('make an analysis speak Chinese throughout', () => {
    const t = createTranslator('zh-CN');
    const run = runIn(demoState(), 'zh-CN');
    const analysis = analyze(run);
    const said = [
      headlineText(analysis, t),
      ...analysis.scenarios.map((one) => `${labelText(one.label, t)} ${verdictLabel(one, t)}`),
    ];
    const allowed = /tmpfs|IP|TPS|CPU|MySQL|bridge|Unix|overlay|ingress/g;
    for (const text of said) expect(text.replace(allowed, '')).not.toMatch(/[A-Za-z]{2,}/);
  });

  it('leave buffer-pool sizes and levels of a sweep where they can be taken apart', () => {
    const t = createTranslator('zh-CN');
    const state = makeState({ sweep: [1, 4, 16], rounds: 3 });
    const analysis = analyze(runIn(state, 'zh-CN'));
    expect(analysis.sweeps.map(({ label }) => labelText(label, t))).not.toContainEqual(
      expect.stringContaining('个连接'),
    );
    const [first] = comparisonsOf(analysis);
    expect(first && whereText(first, t)).toContain('并发连接数为 1 时');
  });
});

it('presets of the user are shown as written', () => {
  const preset = { name: 'Connection sweep', question: 'How many?', builtIn: false };
  expect(presetIn(preset, 'zh-CN')).toBe(preset);
  expect(presetIn({ ...preset, builtIn: true }, 'zh-CN').name).toBe('并发梯度');
});

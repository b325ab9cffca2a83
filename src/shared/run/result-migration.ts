/**
 * Older results and journals, brought to the present format. Pure functions of unparsed JSON: what is not the old
 * format comes back as it was, and the schemas say what is wrong with it.
 *
 * Version 1 (until 0.1.0) knew one server for a whole plan, no regimes, and one baseline for all scenarios.
 */

type Json = Record<string, unknown>;

/** A result file of any version in the form of the present one. Nothing is changed in place. */
export function migratedResult(file: unknown): unknown {
  if (!isRecord(file) || file['version'] !== 1 || !isRecord(file['state'])) return file;
  const { state } = file;
  return { ...file, version: 2, state: { ...state, plan: migratedPlan(state['plan']) } };
}

/** An event of a journal of any version in the form of the present one; only `run-started` has changed. */
export function migratedEvent(event: unknown): unknown {
  if (!isRecord(event) || event['type'] !== 'run-started') return event;
  return { ...event, plan: migratedPlan(event['plan']) };
}

/** Told by its shape: journals have no version of their own for what stands in their lines. */
function migratedPlan(plan: unknown): unknown {
  if (!isRecord(plan) || 'setups' in plan || !('image' in plan)) return plan;
  const { image, settings, mode, scenarios, ...kept } = plan;
  const setup = { id: 'default', name: null, image, settings, options: [], native: null, external: null };
  return {
    ...kept,
    mode: mode === 'quick' ? 'short' : mode,
    setups: [setup],
    scenarios: Array.isArray(scenarios)
      ? scenarios.map((one: unknown) => migratedScenario(one, plan['baselineId']))
      : scenarios,
    consents: [],
    reference: null,
  };
}

function migratedScenario(scenario: unknown, baselineId: unknown): unknown {
  if (!isRecord(scenario)) return scenario;
  return { ...scenario, setupId: 'default', regime: null, baselineId, clientNode: null };
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { type Message } from '../../shared/message.ts';
import { isContainerStorage } from '../../shared/model/names.ts';
import { BenchmarkError, errorMessage } from '../../shared/errors.ts';
import type { ImageChoice } from '../../shared/model/plan.ts';
import type { Preset, PresetScenario } from '../../shared/model/preset.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { chooseImage } from '../target/image.ts';
import { serverOf } from './plan-setups.ts';

export interface PlannedImages {
  /** By the reference that was asked for. */
  choices: Map<string, ImageChoice>;
  /** Why a scenario's image can't be had; undefined when it can, or when the scenario runs no container. */
  missing(scenario: PresetScenario): Message | undefined;
}

/**
 * The images of the scenarios that run containers. Where some can be had, those that can't only cost their own
 * scenarios; where none can, it rejects with the first one's IMAGE_NOT_FOUND, REGISTRY_UNREACHABLE or
 * IMAGE_UNKNOWN_FLAVOUR.
 */
export async function chooseImages(
  request: { runtime: ContainerRuntime; imageNamedByUser: boolean },
  preset: Preset,
  scenarios: PresetScenario[],
): Promise<PlannedImages> {
  const imageOf = (scenario: PresetScenario): string | undefined =>
    isContainerStorage(scenario.storage.kind) ? serverOf(preset, scenario).image : undefined;
  const choices = new Map<string, ImageChoice>();
  const failures = new Map<string, BenchmarkError>();
  for (const image of new Set(scenarios.map(imageOf))) {
    if (image === undefined) continue;
    try {
      choices.set(image, await chooseImage(request.runtime, image, request.imageNamedByUser));
    } catch (error) {
      if (!(error instanceof BenchmarkError) || isEngineLost(error)) throw error;
      failures.set(image, error);
    }
  }
  const [first] = failures.values();
  if (first !== undefined && choices.size === 0) throw first;
  return {
    choices,
    missing: (scenario) => {
      const failure = failures.get(imageOf(scenario) ?? '');
      return failure === undefined ? undefined : errorMessage(failure.toData());
    },
  };
}

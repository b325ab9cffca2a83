import { msg } from '../../shared/message.ts';
import { isContainerStorage, STORAGES } from '../../shared/kinds/storages.ts';
import { datadirBytes } from '../servers/dataset/dataset.ts';
import { MIB } from '../../shared/model/server-settings.ts';
import { configOf, type Notice, passportOf, type Plan, type Scenario } from '../../shared/model/plan.ts';

/**
 * MiB in addition to the buffer pool under load: MySQL 9.7.4 with the Performance Schema and 8 connections took 466
 * to 571 MiB, with 23 MiB in the pool.
 */
const BESIDE_POOL_MIB = 550;
const MEMORY_SHARE = 0.6;

type Grouped = Pick<
  Plan,
  'scenarios' | 'configs' | 'schedule' | 'workload' | 'task' | 'engines' | 'baselineId'
>;

/** Groups include the baseline's servers; empty: no slices, or no two servers fit. */
export function planGroups(plan: Grouped): Pick<Plan, 'groups' | 'schedule'> & { notices: Notice[] } {
  const { schedule } = plan;
  if (schedule.sliceSeconds === undefined) return { groups: [], schedule, notices: [] };
  const alone = (message: Notice['message']) => {
    const others = { ...schedule };
    delete others.sliceSeconds;
    return { groups: [], schedule: others, notices: [{ code: 'NOT_SIDE_BY_SIDE', message }] };
  };
  if (plan.scenarios.some(({ loadGenerator }) => loadGenerator === 'sysbench')) {
    return alone(msg('notice.alone.load'));
  }
  const needs = new Map(plan.scenarios.map((one) => [one.serverId, memoryNeed(plan, one)]));
  const compared = plan.scenarios.filter(({ isBaseline, isAaRepeat }) => isBaseline || isAaRepeat);
  const always = [...new Set(compared.map(({ serverId }) => serverId))];
  const fits = (ids: readonly string[]): boolean => {
    const sums = new Map<string, number>();
    return ids.every((id) => {
      const need = needs.get(id);
      if (need === undefined) return true;
      const sum = (sums.get(need.memory) ?? 0) + need.bytes;
      sums.set(need.memory, sum);
      return sum <= need.room;
    });
  };
  const groups: string[][] = [];
  let group = [...always];
  for (const id of [...needs.keys()].filter((one) => !always.includes(one))) {
    if (!fits([...group, id]) && group.length > always.length) {
      groups.push(group);
      group = [...always];
    }
    group.push(id);
  }
  groups.push(group);
  if (!groups.every(fits)) return alone(msg('notice.alone.memory'));
  return { groups, schedule, notices: [] };
}

interface MemoryNeed {
  /** The engine's memory, or this machine's without a virtual machine. */
  memory: string;
  bytes: number;
  room: number;
}

function memoryNeed(plan: Grouped, scenario: Scenario): MemoryNeed {
  const { vm, remote, memoryBytes } = passportOf(plan, scenario.engine).runtime;
  return {
    memory: vm || remote ? scenario.engine : 'this machine',
    bytes: bytesOf(plan, scenario),
    room: memoryBytes * MEMORY_SHARE,
  };
}

function bytesOf(plan: Grouped, scenario: Scenario): number {
  const config = configOf(plan, scenario);
  const { settings, limits } = config;
  const { kind } = scenario.storage;
  const stored = STORAGES[kind].durability === 'memory' ? datadirBytes(plan, config) : 0;
  const most = (settings.bufferPoolMiB + BESIDE_POOL_MIB) * MIB + stored;
  return isContainerStorage(kind) && limits.memoryMiB !== null
    ? Math.min(most, limits.memoryMiB * MIB)
    : most;
}

import process from 'node:process';

const WORK = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ id: index, name: `row ${index}` })),
);

/** CPU time of this process so far, ms: other programs on the machine don't add to it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU time of a fixed piece of work in this process, ms: on a slow machine it grows like everything else. */
export function referenceMs(): number {
  const times = [1, 2, 3].map(() => {
    const began = cpuMs();
    JSON.stringify(JSON.parse(WORK));
    return cpuMs() - began;
  });
  return Math.max(1, Math.min(...times));
}

/** CPU time of an action, in times of the reference work right after it. */
export async function inReferences(act: () => unknown): Promise<number> {
  const began = cpuMs();
  await act();
  return (cpuMs() - began) / referenceMs();
}

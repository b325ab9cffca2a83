const AT_ONCE = 32;

export async function inTurns<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    answers.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(action))));
  }
  return answers;
}

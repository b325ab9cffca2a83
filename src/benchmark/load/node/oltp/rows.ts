import type { Random } from '../../../../shared/random.ts';

/** sysbench's table names: sbtest1, sbtest2, … */
export function tableName(number: number): string {
  return `sbtest${number}`;
}

/** `groups` groups of eleven random digits, joined by hyphens. */
function digitGroups(groups: number, random: Random): string {
  const parts: string[] = [];
  for (let i = 0; i < groups; i++) {
    parts.push(
      String(Math.floor(random() * 1e6)).padStart(6, '0') +
        String(Math.floor(random() * 1e5)).padStart(5, '0'),
    );
  }
  return parts.join('-');
}

/** Column c: ten groups, 119 characters. */
export function contentColumn(random: Random): string {
  return digitGroups(10, random);
}

/** Column pad: five groups, 59 characters. */
export function padColumn(random: Random): string {
  return digitGroups(5, random);
}

export interface ServerOption {
  written: string;
  /** The name in lower case, with dashes, without `loose-`. */
  full: string;
  /** `full` without other prefixes; the later of two with one name wins. */
  name: string;
  /** `skip-` or `disable-`, whatever its value. */
  isOff: boolean;
  /** `maximum-`: the value is a limit for users. */
  isMaximum: boolean;
  value: string | undefined;
}

const OPTION = /^--([a-z][\w.-]{0,79})(?:=([^\n\r\0]*))?$/i;

/** Undefined: not an option. Prefixes can be combined: MySQL Reference Manual, "Program Option Modifiers". */
export function serverOption(text: string): ServerOption | undefined {
  const [, written, value] = OPTION.exec(text) ?? [];
  if (written === undefined) return undefined;
  const full = written
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^(?:loose-)+(?=.)/, '');
  const [prefixes = ''] = /^(?:(?:loose|skip|disable|enable|maximum)-)*(?=.)/.exec(full) ?? [];
  return {
    written,
    full,
    name: full.slice(prefixes.length),
    isOff: /skip-|disable-/.test(prefixes),
    isMaximum: prefixes.includes('maximum-'),
    value,
  };
}

export function optionText({ written, value }: Pick<ServerOption, 'written' | 'value'>): string {
  return `--${written}${value === undefined ? '' : `=${value}`}`;
}

const ON = /^(?:on|true|1)$/i;
const OFF = /^(?:off|false|0)$/i;
export const SIZE_UNITS: Readonly<Record<string, number>> = {
  ...{ '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 },
};

/** MySQL Reference Manual, "Using Options to Set Program Variables" (suffixes). */
export function bytesOf(value = ''): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15})([kmgt]?)$/i.exec(value.trim()) ?? [];
  const factor = SIZE_UNITS[unit.toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** Servers take `1G` and its bytes for the same. */
export function sameValue(one: string, other: string): boolean {
  const [a, b] = [one, other].map((value) => {
    const text = ON.test(value) ? '1' : OFF.test(value) ? '0' : value.trim().toLowerCase();
    const number = bytesOf(text) ?? Number(text || NaN);
    return Number.isNaN(number) ? text.replaceAll('-', '_') : String(number);
  });
  return a === b;
}

/** The last of each name counts; a switch is `1` or `0`. */
export function effectiveOptions(options: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const option of options) {
    const { name = option, isOff = false, isMaximum = false, value = '1' } = serverOption(option) ?? {};
    const isOn = ON.test(value);
    const known = isOn ? '1' : OFF.test(value) ? '0' : value.toLowerCase();
    values.set(isMaximum ? `maximum-${name}` : name, isOff ? (known === '0' ? '1' : '0') : known);
  }
  return values;
}

/** Options of Whalemark's own server, without a difference to speed. */
const PLACES: ReadonlySet<string> = new Set(
  'datadir port bind-address mysqlx-bind-address socket pid-file user'.split(' '),
);

export function isPlace({ name }: ServerOption): boolean {
  return PLACES.has(name);
}

const CHARACTER_SET =
  'utf8|utf8mb3|utf8mb4|latin[12]|ascii|binary|ucs2|utf16|utf32|gbk|gb2312|gb18030|big5|cp125[01]|koi8r|sjis|ujis|euckr';
const WORDS =
  `on off true false yes no none auto default demand force crc32 innodb myisam memory aria row statement mixed full
  minimal noblob fsync o_dsync o_direct o_direct_no_fsync read-committed read-uncommitted repeatable-read
  serializable one-thread-per-connection pool-of-threads no-threads file table system ansi ansi_quotes traditional
  strict_trans_tables strict_all_tables no_zero_in_date no_zero_date no_engine_substitution no_auto_create_user
  no_auto_value_on_zero error_for_division_by_zero only_full_group_by pipes_as_concat ignore_space allow_invalid_dates`
    .split(/\s+/)
    .join('|');
const PLAIN = new RegExp(
  String.raw`^(?:-?\d{1,15}(?:\.\d{1,9})?[kmgtpe]?|(?:${CHARACTER_SET})(?:_[a-z0-9]{2,8})*|(?:${WORDS})(?:,(?:${WORDS}))*|)$`,
  'i',
);

/** Numbers, sizes, switches, and words of servers can't be secrets. */
export function isPlainValue(value: string | undefined): boolean {
  return value === undefined || PLAIN.test(value);
}

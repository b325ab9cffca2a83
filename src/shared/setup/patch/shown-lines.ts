import { isMap, isScalar, isSeq } from 'yaml';
import { isPlainValue } from '../../options/option.ts';
import { endOf, isEmpty, keyOf, startOf, type YamlFile } from './yaml-file.ts';

/** Fields of a service whose values a diff may show; of others only the names. */
const SHOWN = new Set([
  ...['image', 'container_name', 'hostname', 'platform', 'profiles', 'restart', 'extends', 'pull_policy'],
  ...[
    'volumes',
    'volumes_from',
    'tmpfs',
    'ports',
    'expose',
    'networks',
    'network_mode',
    'depends_on',
    'links',
  ],
  ...['deploy', 'cpus', 'cpuset', 'ulimits', 'shm_size', 'init', 'user', 'cap_add', 'security_opt', 'scale'],
  ...['cpu_quota', 'cpu_period', 'cpu_shares', 'mem_limit', 'mem_reservation', 'memswap_limit'],
  ...['stop_grace_period', 'privileged', 'tty', 'stdin_open', 'secrets', 'configs'],
]);
/** Words of what may be secret, and an address with a login. */
const TELLING = /pass|pwd|secret|token|credential|private|api.?key|:\/\/[^\s/]*@/i;
/** Without a value. */
const ONLY_NAME = /^\s*(?:- )?["']?[\w./-]+["']?:\s*$/;
/** What a comment that was once a setting looks like. */
const SETTING = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+["']?\s*[:=]/;

/**
 * Lines with values that no diff shows, from 0: of environments, secrets, and whatever else may hold one. What is
 * changed itself is none of them, unless a word of a command says so.
 */
export function secretLines(
  file: YamlFile,
  service: string,
  changed: readonly { start: number; end: number }[] = [],
): Set<number> {
  const secret = new Set<number>();
  const lines = file.text.split('\n');
  const lineAt = linesOf(file.text);
  const walk = (node: unknown, path: readonly string[], first = 0): void => {
    if (isMap(node)) {
      for (const pair of node.items) {
        walk(pair.value, [...path, keyOf(pair) ?? ''], lineAt(startOf(pair.key)));
      }
    } else if (isSeq(node)) {
      for (const item of node.items) walk(item, path, first);
    } else if (isScalar(node) && !isEmpty(node, file.text)) {
      const [start, end] = [startOf(node), endOf(node, file.text)];
      const isKnown = isShown(path, service) || changed.some((one) => one.start < end && one.end > start);
      const isCommand = path.includes('command');
      for (let line = lineAt(start); line <= lineAt(end); line++) {
        if (!isKnown || (isCommand && hasSecretWord(lines, line, first))) secret.add(line);
      }
    }
  };
  walk(file.document.contents, []);
  for (const [line, text] of lines.entries()) {
    const [, ...comment] = text.split('#');
    if (SETTING.test(comment.join('#')) || comment.some((part) => TELLING.test(part))) secret.add(line);
  }
  return secret;
}

/** And lines that had better not be context of a diff. */
export function hiddenLines(file: YamlFile, service: string): Set<number> {
  const hidden = secretLines(file, service);
  for (const [line, text] of file.text.split('\n').entries()) {
    if (TELLING.test(text) && !ONLY_NAME.test(text)) hidden.add(line);
  }
  return hidden;
}

/** Ways to log in, which say "password" and are none. */
const LOGIN = /\b(?:mysql_native|caching_sha2|sha256)_password\b/g;

/** Of a command that begins on the line `first`; a word without a value may have it on the next line. */
function hasSecretWord(lines: readonly string[], line: number, first: number): boolean {
  const before = line > first ? (lines[line - 1] ?? '') : '';
  const text = `${/\s(\S+)\s*$/.exec(before)?.[1] ?? ''} ${lines[line] ?? ''}`;
  return text.split(/\s+|,/).some((word) => {
    const value = /=([^"'\]]*)/.exec(word)?.[1];
    return TELLING.test(word.replace(LOGIN, '')) && (value === undefined || !isPlainValue(value));
  });
}

function isShown([top = '', name = '', field = '', ...more]: readonly string[], service: string): boolean {
  switch (top) {
    case 'version':
    case 'name':
      return true;
    case 'services':
      return SHOWN.has(field) || (field === 'command' && name === service);
    case 'volumes':
    case 'networks':
      return field !== 'driver_opts' && !more.includes('driver_opts');
    default:
      // Parts of services.
      return top.startsWith('x-') && (SHOWN.has(name) || name === 'command');
  }
}

/** From 0. */
export function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

import { msg, type Message } from '../../shared/message.ts';
import type { DatabaseService } from '../../shared/model/database.ts';
import { addsOptions, officialImage } from '../../shared/compose/image.ts';
import { effectiveOptions, isPlainValue, sameValue, serverOption } from '../../shared/options/option.ts';
import type { ContainerRuntime, LocalImage } from '../runtime/container-runtime.ts';
import { digestOf, isKnownImage } from '../servers/image.ts';
import { askImage, askServer, type ServerAnswer } from './server-answer.ts';

export interface AnsweredDatabase {
  service: DatabaseService;
  inEffect: Record<string, string>;
}

/** Options that matter even with their defaults. */
const ALWAYS = [
  'innodb-buffer-pool-size',
  'innodb-doublewrite',
  'innodb-flush-log-at-trx-commit',
  'innodb-flush-method',
  'log-bin',
  'sync-binlog',
];

const asked = new WeakMap<DatabaseService, { runtime: string; answered: Promise<AnsweredDatabase> }>();

/** A service is asked once, although each change makes a new plan. */
export function asItAnswers(service: DatabaseService, runtime: ContainerRuntime): Promise<AnsweredDatabase> {
  const before = asked.get(service);
  if (before?.runtime === runtime.id) return before.answered;
  const answered = answeredBy(service, runtime);
  asked.set(service, { runtime: runtime.id, answered });
  return answered;
}

async function answeredBy(service: DatabaseService, runtime: ContainerRuntime): Promise<AnsweredDatabase> {
  const answer = await answerOf(service, runtime).catch(() => undefined);
  const known = answer === undefined ? service : withAnswer(service, answer);
  const { inEffect = new Map<string, string>(), version = '' } = answer ?? {};
  const wanted = new Map(effectiveOptions(known.options));
  for (const name of [...wanted.keys(), ...ALWAYS]) {
    const value = inEffect.get(name);
    if (value !== undefined) wanted.set(name, value);
  }
  if (inEffect.size > 0) wanted.set('version', version);
  return {
    service: known,
    inEffect: Object.fromEntries(
      [...wanted].flatMap(([name, value]) =>
        /^[\w-]+$/.test(name) && (name === 'version' || isPlainValue(value))
          ? [[name.replaceAll('-', '_'), value]]
          : [],
      ),
    ),
  };
}

async function answerOf(
  { image, container, official }: DatabaseService,
  runtime: ContainerRuntime,
): Promise<ServerAnswer | undefined> {
  const ofServer = container?.running === true ? await askServer(runtime, container.id) : undefined;
  // Files of a container that starts in its own way have been read.
  if (ofServer !== undefined || (container !== null && official?.isAlways === true)) return ofServer;
  const found = (await runtime.images.inspect(image)) ?? (await taggedImage(image, runtime));
  if (found === undefined) return undefined;
  const isKnown = isKnownImage({ used: image, imageId: found.id, digest: digestOf(image, found) });
  return isKnown ? undefined : askImage(runtime, found.id);
}

/** Projects lack the tag of DDEV's image before a first start. */
async function taggedImage(image: string, { images }: ContainerRuntime): Promise<LocalImage | undefined> {
  if (!/(?:^|\/)ddev\/[^:@]+$/.test(image)) return undefined;
  return (await images.list()).find(({ references }) =>
    references.some((one) => one.startsWith(`${image}:`)),
  );
}

/** A running server's options are in effect; an image's come before the project's. */
export function withAnswer(service: DatabaseService, answer: ServerAnswer): DatabaseService {
  const { flavor, unshown, inEffect } = answer;
  const options = answer.options.filter(isNews);
  const isRunning = inEffect.size > 0;
  const kept = service.options.filter(
    (option) => isNews(option) && !inEffect.has(serverOption(option)?.name ?? ''),
  );
  const line = officialImage(answer);
  const named = service.official?.image ?? '';
  const image = named.startsWith(`${line}.`) ? named : line;
  const official = service.official ?? (service.flavor === null ? { image, isAlways: false } : null);
  const isWhole = isRunning || !addsOptions(service.image);
  return {
    ...service,
    flavor,
    official: official && { ...official, image },
    options: isRunning ? [...kept, ...options] : [...options, ...kept],
    warnings: [
      ...service.warnings.map((one) =>
        isWhole && one.code.startsWith('compose.ownStart')
          ? msg('compose.ownStartRead', { official: image })
          : one,
      ),
      ...(isRunning ? [msg('yourDatabase.asked')] : []),
      ...(isRunning || options.length === 0
        ? []
        : [msg('yourDatabase.imageOptions', { list: options.join(' ') })]),
      ...(unshown.length === 0 ? [] : [msg('yourDatabase.unshown', { list: unshown.join(', ') })]),
      ...contradictions(service, inEffect),
    ],
  };
}

/** The official images don't resolve names. */
function isNews(option: string): boolean {
  const { full = '' } = serverOption(option) ?? {};
  return full !== 'skip-name-resolve' && full !== 'host-cache-size';
}

function contradictions({ options }: DatabaseService, inEffect: ServerAnswer['inEffect']): Message[] {
  const differing = [...effectiveOptions(options)].flatMap(([name, value]) => {
    const own = inEffect.get(name);
    return own === undefined || sameValue(own, value) ? [] : [`${name}=${own} (${value})`];
  });
  return differing.length === 0 ? [] : [msg('yourDatabase.otherValues', { list: differing.join(', ') })];
}

import { msg } from '../message.ts';
import { isLimited } from '../model/server-spec.ts';
import type { Place, Setup, SetupPath, SetupService, SetupSource } from '../model/setup.ts';
import { baseOf } from '../project/file-names.ts';
import { limitsText } from './facts.ts';
import { messageText, type Translate } from './i18n.ts';
import { pathName } from './labels.ts';

/** "db in shop", or the container's name if Compose didn't start it. */
export function setupName({ source }: Pick<Setup, 'source'>, service: string, t: Translate): string {
  if (source.project !== null) return t('ui:setup.name', { service, project: source.project });
  return source.kind === 'container' ? source.name : service;
}

/** "mysql:8.0, bind mount ./data, port 3306" */
export function setupLine({ source }: Pick<Setup, 'source'>, service: SetupService, t: Translate): string {
  const { port, kind } = service.path;
  const path = port === null ? messageText(pathName(kind), t) : t('ui:setup.port', { port });
  return listOf([service.image, storageText(source, service, t), path], t);
}

/** What was read of a service, as names and values, without its environment. */
export function readFacts(
  { source }: Pick<Setup, 'source'>,
  service: SetupService,
  t: Translate,
): [name: string, value: string][] {
  const { image, built, platform, path, otherPaths, limits, options, configFiles } = service;
  const names = (files: readonly string[]): string =>
    listOf(
      files.map((file) => shortPlace(file, source)),
      t,
    );
  const facts: [name: string, value: string | null][] = [
    [t('ui:setup.fact.image'), built ? t('ui:setup.built', { image }) : image],
    [t('ui:setup.fact.platform'), platform],
    [t('ui:setup.fact.storage'), at(storageText(source, service, t), service.storage.at, t)],
    [t('ui:setup.fact.path'), pathText(path, t)],
    [
      t('ui:setup.fact.otherPaths'),
      listOf(
        otherPaths.map((one) => pathText(one, t)),
        t,
      ),
    ],
    [t('ui:setup.fact.limits'), isLimited(limits) ? limitsText(limits, t) : t('ui:setup.noLimits')],
    [t('ui:setup.fact.options'), options.join(' ')],
    [t('ui:setup.fact.configFiles'), names(configFiles)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
}

function storageText(source: SetupSource, { storage }: SetupService, t: Translate): string {
  const kind = messageText(msg(`storage.${storage.kind}`), t);
  // The name of an anonymous volume is a number.
  const place = storage.kind === 'anonymous-volume' ? null : storage.place;
  const stored = place === null ? kind : t('ui:setup.stored', { kind, place: shortPlace(place, source) });
  const { driver } = storage;
  return driver === null || driver === 'local' ? stored : t('ui:setup.ofDriver', { stored, driver });
}

function pathText({ kind, client, port, at: place }: SetupPath, t: Translate): string {
  const path = messageText(pathName(kind), t);
  const over = port === null ? path : t('ui:setup.pathAtPort', { path, port });
  return at(
    t(client === null ? 'ui:setup.fromHost' : 'ui:setup.fromService', { client: client ?? '', over }),
    place,
    t,
  );
}

/** With the file and line where it is written. */
function at(text: string, place: Place | null, t: Translate): string {
  if (place === null) return text;
  return t('ui:setup.at', { text, file: baseOf(place.file), line: place.line });
}

/** Below the folder of the first Compose file: "./data". */
function shortPlace(path: string, { files: [first] }: SetupSource): string {
  const folder = first?.slice(0, first.length - baseOf(first).length) ?? '';
  return folder !== '' && path.startsWith(folder) ? `./${path.slice(folder.length)}` : path;
}

function listOf(items: readonly string[], t: Translate): string {
  return items.join(t('report:list.items'));
}

import { msg } from '../message.ts';
import { isLimited } from '../model/server-spec.ts';
import type { Place, Database, DatabasePath, DatabaseService, DatabaseSource } from '../model/database.ts';
import { baseOf } from '../compose/file-names.ts';
import { pathTraits } from '../kinds/paths.ts';
import { type Loss, lossesOfOptions } from '../options/losses.ts';
import { effectiveOptions } from '../options/option.ts';
import { limitsText, lossesText } from './environment-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import { pathName } from './labels.ts';

/** "db in shop", or the container's name without Compose. */
export function databaseName({ source }: Pick<Database, 'source'>, service: string, t: Translate): string {
  if (source.project !== null) return t('ui:database.name', { service, project: source.project });
  return source.kind === 'container' ? source.name : service;
}

/** "mysql:8.0, bind mount ./data, port 3306" */
export function databaseLine(
  { source }: Pick<Database, 'source'>,
  service: DatabaseService,
  t: Translate,
): string {
  const { port } = service.path;
  const path = port === null ? [] : [t('ui:database.port', { port })];
  return listOf([service.image, storageText(source, service, t), ...path], t);
}

export function readFacts(
  { source }: Pick<Database, 'source'>,
  service: DatabaseService,
  t: Translate,
): [name: string, value: string][] {
  const { image, built, platform, path, otherPaths, limits, options, configFiles } = service;
  const names = (files: readonly string[]): string =>
    listOf(
      files.map((file) => shortPlace(file, source)),
      t,
    );
  const facts: [name: string, value: string | null][] = [
    [t('ui:settings.leftoverKind.image'), built ? t('ui:database.built', { image }) : image],
    [t('ui:database.fact.platform'), platform],
    [t('report:effects.factor.storage'), at(storageText(source, service, t), service.storage.at, t)],
    [t('ui:database.fact.path'), pathText(path, t)],
    [
      t('ui:database.fact.otherPaths'),
      listOf(
        otherPaths.map((one) => pathText(one, t)),
        t,
      ),
    ],
    [t('ui:database.fact.limits'), isLimited(limits) ? limitsText(limits, t) : t('ui:database.noLimits')],
    [t('ui:database.fact.options'), options.join(' ')],
    [t('report:flushes.mayLose'), lossesText(lossesOfRead(service), t) ?? null],
    [t('ui:database.fact.configFiles'), names(configFiles)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
}

/** MariaDB writes no binary log by default, so there is no end to lose. */
function lossesOfRead({ options, flavor }: DatabaseService): Loss[] {
  const isOff = flavor === 'mariadb' && !effectiveOptions(options).has('log-bin');
  return lossesOfOptions(options).filter((loss) => !isOff || loss !== 'binlog-end');
}

function storageText(source: DatabaseSource, { storage }: DatabaseService, t: Translate): string {
  const kind = messageText(msg(`storage.${storage.kind}`), t);
  // An anonymous volume's name is only a number.
  const place = storage.kind === 'anonymous-volume' ? null : storage.place;
  const stored = place === null ? kind : `${kind} ${shortPlace(place, source)}`;
  const { driver } = storage;
  return driver === null || driver === 'local' ? stored : t('ui:database.ofDriver', { stored, driver });
}

function pathText({ kind, client, port, at: place }: DatabasePath, t: Translate): string {
  const path = kind === 'user-bridge' ? t('ui:database.bridge') : messageText(pathName(kind), t);
  const over = port === null ? path : `${path} ${port}`;
  const from = pathTraits(kind).placement === 'host' ? 'ui:database.fromHost' : 'ui:database.fromContainer';
  return at(
    client === null ? t(from, { over }) : t('report:list.named', { name: client, value: over }),
    place,
    t,
  );
}

function at(text: string, place: Place | null, t: Translate): string {
  if (place === null) return text;
  return t('ui:database.at', { text, file: baseOf(place.file), line: place.line });
}

/** "./data" below the first Compose file's folder */
function shortPlace(path: string, { files: [first] }: DatabaseSource): string {
  const folder = first?.slice(0, first.length - baseOf(first).length) ?? '';
  return folder !== '' && path.startsWith(folder) ? `./${path.slice(folder.length)}` : path;
}

function listOf(items: readonly string[], t: Translate): string {
  return items.join(t('report:list.items'));
}

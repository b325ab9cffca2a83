import { englishOf, type Message } from '../../shared/message.ts';
import { isLimited } from '../../shared/model/server-spec.ts';
import type { Database, DatabasePath, DatabaseService } from '../../shared/model/database.ts';
import { limitsText } from '../../shared/words/facts.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { pathName, storageName } from '../../shared/words/labels.ts';
import { FLAVOR_NAMES } from '../../shared/words/provenance.ts';

/** For scripts: remarks as `code` and `message`. */
export function serviceJson({ warnings, refusal, ...service }: DatabaseService) {
  return {
    ...service,
    warnings: warnings.map(remark),
    refusal: refusal === null ? null : remark(refusal),
  };
}

function remark({ code, text }: Message): { code: string; message: string } {
  return { code, message: text };
}

export function configText({ services, source }: Database, target: string, options: object = {}): string {
  const command = ['whalemark setup', shellWord(target), ...givenWords(options)].join(' ');
  const first = services.find(({ refusal }) => refusal === null);
  const service =
    services.length > 1 && first !== undefined && !('service' in options)
      ? ` --service ${shellWord(first.name)}`
      : '';
  const canPatch = source.files.length > 0;
  return [
    ...services.flatMap(serviceLines),
    ...(first === undefined
      ? []
      : [
          '',
          `To see the plan:     ${command}${service} --plan`,
          `To measure:          ${command}${service} --run`,
          ...(canPatch ? [`To get a patch, too: ${command}${service} --patch db.patch`] : []),
        ]),
  ].join('\n');
}

/** Options as the user gave them, without those that ask for other output. */
function givenWords(options: object): string[] {
  return Object.entries(options).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'json' || value === false || value === undefined) return [];
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    const isRepeated = Array.isArray(value) && value.every((one) => typeof one !== 'number');
    return (isRepeated ? value : [value]).map((one: unknown) => {
      const text = typeof one === 'object' && one !== null && 'text' in one ? one.text : one;
      return `${flag} ${shellWord(String(text))}`;
    });
  });
}

function serviceLines(service: DatabaseService): string[] {
  const { name, flavor, image, built, storage, path, otherPaths, limits, options, warnings, refusal } =
    service;
  const server = flavor === null ? '' : `${FLAVOR_NAMES[flavor]}, `;
  const place = storage.place === null ? '' : ` ${storage.place}`;
  return [
    `${name}: ${server}${built ? 'built as ' : ''}${image}${service.container?.running === true ? ', running' : ''}`,
    `  Data:    ${englishOf(storageName(storage))}${place} at ${storage.datadir}`,
    `  Clients: ${[path, ...otherPaths].map(clientText).join('; ')}`,
    ...(isLimited(limits) ? [`  Limits:  ${limitsText(limits, ENGLISH)}`] : []),
    ...(options.length === 0 ? [] : [`  Options: ${options.join(' ')}`]),
    ...warnings.map((warning) => `  ! ${englishOf(warning)}`),
    ...(refusal === null ? [] : [`  Can’t be measured: ${englishOf(refusal)}`]),
  ];
}

function clientText({ kind, client, port }: DatabasePath): string {
  const name = englishOf(pathName(kind));
  return `${name}${port === null ? '' : ` ${port}`}${client === null ? '' : ` from ${client}`}`;
}

/** As a POSIX shell and PowerShell take it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

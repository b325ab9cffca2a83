import { englishOf, type Message } from '../../shared/message.ts';
import type { Database, DatabaseService } from '../../shared/model/database.ts';
import { shellWord } from '../../shared/compose/moves.ts';
import { readFacts } from '../../shared/words/database-wording.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { FLAVOR_NAMES } from '../../shared/words/provenance.ts';

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

export function setupCommand(targets: readonly string[], options: object): string {
  return ['whalemark setup', ...targets.map(shellWord), ...givenWords(options)].join(' ');
}

export function configText(
  database: Database,
  targets: readonly string[],
  options: object = {},
  isPlanNext = false,
): string {
  const { services, source } = database;
  const command = setupCommand(targets, options);
  const first = services.find(({ refusal }) => refusal === null);
  const service =
    services.length > 1 && first !== undefined && !('service' in options)
      ? ` --service ${shellWord(first.name)}`
      : '';
  const canWrite = source.files.length > 0;
  return [
    ...services.flatMap((one) => serviceLines(database, one)),
    ...(first === undefined
      ? []
      : [
          '',
          ...(isPlanNext ? [] : [`To see the plan:     ${command}${service} --plan`]),
          `To measure:          ${command}${service} --run`,
          ...(canWrite ? [`To write the change: ${command}${service} --override`] : []),
          ...(isPlanNext ? [''] : []),
        ]),
  ].join('\n');
}

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

export function serviceLines(database: Database, service: DatabaseService): string[] {
  const { name, flavor, container, warnings, refusal } = service;
  const server = flavor === null ? '' : `: ${FLAVOR_NAMES[flavor]}`;
  return [
    `${name}${server}${container?.running === true ? ', running' : ''}`,
    ...readFacts(database, service, ENGLISH).map(([fact, value]) => `  ${fact}: ${value}`),
    ...warnings.map((warning) => `  ! ${englishOf(warning)}`),
    ...(refusal === null ? [] : [`  Can’t be measured: ${englishOf(refusal)}`]),
  ];
}

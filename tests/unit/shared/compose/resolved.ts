import { composeModelSchema } from '../../../../src/shared/compose/model.ts';
import { databasesIn } from '../../../../src/shared/compose/service.ts';
import type { Surroundings, WrittenService } from '../../../../src/shared/compose/surroundings.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { DatabaseService } from '../../../../src/shared/model/database.ts';

/** A project `shop` as Compose resolves it; `written` has the fields that have variables in the files. */
export function resolved(
  services: Readonly<Record<string, object>>,
  rest: object = {},
  written: Partial<WrittenService> = {},
): Surroundings {
  const model = composeModelSchema.parse({ name: 'shop', services, ...rest });
  return {
    model,
    isWindows: false,
    find: () =>
      Promise.resolve({ kind: 'unread', reason: msg('compose.file.missing'), isMissing: true } as const),
    locate: () => null,
    written: (name) => {
      const { image, command, entrypoint } = model.services?.[name] ?? {};
      return {
        image: image ?? '',
        command: command ?? [],
        entrypoint: entrypoint ?? [],
        environment: {},
        ...written,
      };
    },
  };
}

/** The first database of the project. */
export async function firstDatabase(around: Surroundings): Promise<DatabaseService> {
  const [service] = await databasesIn(around);
  if (service === undefined) throw new Error('a database was expected');
  return service;
}

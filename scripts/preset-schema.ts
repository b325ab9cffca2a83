import * as z from 'zod';
import { presetSchema } from '../src/shared/model/preset.ts';
import { oltpWorkloadSchema, tpccWorkloadSchema } from '../src/shared/model/workload.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON schema of a preset file, without zod's own checks: names that must exist, ids that must differ.
 */
export function presetJsonSchema(): JsonSchema {
  const { properties, ...schema } = toJsonSchema(presetSchema);
  const workload: JsonSchema = { ...Object(properties?.['workload']) };
  delete workload.oneOf;
  // A preprocess step fills in the default kind, which a JSON schema can't see.
  const kinds = [oltpWorkloadSchema.partial({ kind: true }), tpccWorkloadSchema].map((kind) => {
    const one = toJsonSchema(kind);
    delete one.$schema;
    return one;
  });
  return {
    $id: 'preset.schema.json',
    title: 'Whalemark preset',
    ...schema,
    properties: { ...properties, workload: { ...workload, anyOf: kinds } },
  };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // zod's own name next to the pattern; validators refuse formats that they don't know.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

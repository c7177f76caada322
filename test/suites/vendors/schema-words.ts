import type { JsonSchema } from '../../../kernel/index.ts';

/** Short words for the schemas of corrections, in OpenAPI 3.0. */
export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer' };
export const fraction: JsonSchema = { type: 'number' };
export const open: JsonSchema = { type: 'object' };
export const address: JsonSchema = { type: 'string', format: 'uri' };
export const moment: JsonSchema = { type: 'string', format: 'date-time' };

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, nullable: true };
}

export function oneOf(...values: readonly unknown[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function object(required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required, properties };
}

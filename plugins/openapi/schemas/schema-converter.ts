import type { JsonSchema } from '../../../kernel/index.ts';
import type { Located } from '../document/resolve.ts';

/** Which way a value goes: readOnly members are no input, writeOnly members no output. */
export type Direction = 'input' | 'output';

/** Converts schemas of one document to JSON Schema 2020-12. Each referred schema becomes one entry of `$defs`, shared by all tools. */
export interface SchemaConverter {
  /** Returns the schema, in which `#/$defs/<name>` refers to `definitions`. Repeated calls for one place return the same object. */
  convert(schema: Located, direction: Direction): JsonSchema;
  /** All schemas to which converted schemas refer, by name, for `$defs` of the provider. Names are `[A-Za-z0-9_.-]+`. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Schemas that had to change, such as a default that its own schema refuses, for people. */
  readonly notes: readonly string[];
}

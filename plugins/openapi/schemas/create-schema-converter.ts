import { Check } from 'typebox/schema';
import type { JsonSchema } from '../../../kernel/index.ts';
import type { Located, Resolver } from '../document/resolve.ts';
import type { Dialect } from '../operations/operation.ts';
import { ConversionNotes } from './conversion-notes.ts';
import { keyOf } from './directions.ts';
import { SchemaConversion } from './schema-conversion.ts';
import type { Direction, SchemaConverter } from './schema-converter.ts';
import { cutValueCycles } from './value-cycles.ts';

export interface SchemaConverterOptions {
  readonly resolver: Resolver;
  readonly dialect: Dialect;
  /** The document itself, as `Located.base` has it: its components keep their names. @default the file of the first schema */
  readonly base?: string;
}

/**
 * Creates the converter of one document. It is tolerant: a part of a schema that cannot be understood accepts any value, with a note. Keep it no longer than
 * needed, as it holds the document.
 */
export function createSchemaConverter(options: SchemaConverterOptions): SchemaConverter {
  return new Converter(options);
}

class Converter implements SchemaConverter {
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #options: SchemaConverterOptions;
  readonly #notes = new ConversionNotes();
  readonly #converted = new Map<string, JsonSchema>();
  #conversion: SchemaConversion | undefined;

  constructor(options: SchemaConverterOptions) {
    this.#options = options;
  }

  get notes(): readonly string[] {
    return this.#notes.all;
  }

  convert(schema: Located, direction: Direction): JsonSchema {
    const key = `${direction} ${keyOf(schema)}`;
    const known = this.#converted.get(key);
    if (known !== undefined) return known;
    const { resolver, dialect, base = schema.base } = this.#options;
    this.#conversion ??= new SchemaConversion(resolver, dialect, this.#notes, base);
    const conversion = this.#conversion;
    const made = conversion.convert(schema, direction);
    const converted: JsonSchema = typeof made === 'boolean' ? (made ? {} : { not: {} }) : made;
    conversion.convertQueued();
    this.#finish(conversion);
    this.#converted.set(key, converted);
    return converted;
  }

  #finish({ definitions, added, withDefault }: SchemaConversion): void {
    const names = added.splice(0);
    const isKnown = (name: string): boolean => Object.hasOwn(this.definitions, name);
    cutValueCycles(names, definitions, isKnown, (name) =>
      this.#notes.add({ pointer: `$defs/${name}` }, 'leads back to itself for one value: that part is left out'),
    );
    for (const name of names) this.definitions[name] = definitions.get(name) as JsonSchema;
    for (const { schema, located } of withDefault.splice(0)) {
      if (!Object.hasOwn(schema, 'default') || this.#accepts(schema, schema['default'])) continue;
      delete schema['default'];
      this.#notes.add(located, 'its default is none of its values, and is left out');
    }
  }

  #accepts(schema: JsonSchema, value: unknown): boolean {
    try {
      return Check({ ...schema, $defs: this.definitions } as never, value);
    } catch {
      return false;
    }
  }
}

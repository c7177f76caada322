import { isPlainObject, type JsonObject, type JsonSchema } from '../../../kernel/index.ts';
import type { ParameterPlace } from '../operations/operation.ts';
import { ParameterNames } from './parameter-names.ts';
import { plainText, sentences, textLimits } from './texts.ts';

/** A parameter of a tool, and the part of a request that it fills. */
export interface ToolParameter {
  /** The name for callers. */
  readonly name: string;
  /** The name in the request. */
  readonly sentAs: string;
  readonly place: ParameterPlace | 'body' | 'tool';
}

interface Declared {
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  /** Keys of the kernel beside the schema, such as `path: read`. */
  readonly overlay?: JsonObject;
}

/** Collects the parameters of one tool as `input_schema`, with `parameters` for keys that a JSON Schema does not have. */
export class ToolParameters {
  readonly all: ToolParameter[] = [];
  readonly #names: ParameterNames;
  readonly #properties: [string, JsonSchema][] = [];
  readonly #required: string[] = [];
  readonly #overlay: [string, JsonObject][] = [];

  /** `reserved`: placeholders that the service fills in. */
  constructor(reserved: Iterable<string>) {
    this.#names = new ParameterNames(reserved);
  }

  isFree(name: string): boolean {
    return this.#names.isFree(name);
  }

  /** Adds a parameter and returns its name for templates. */
  add(sentAs: string, place: ToolParameter['place'], declared: Declared): string {
    const name = this.#names.take(sentAs, place);
    this.all.push({ name, sentAs, place });
    this.#properties.push([name, propertyOf(declared, sentAs === name ? undefined : sentAs)]);
    if (declared.isRequired) this.#required.push(name);
    if (declared.overlay !== undefined) this.#overlay.push([name, declared.overlay]);
    return name;
  }

  /** Returns the keys of the definition. */
  definition(): JsonObject {
    return {
      input_schema: {
        type: 'object',
        properties: Object.fromEntries(this.#properties) as JsonObject,
        ...(this.#required.length === 0 ? {} : { required: this.#required }),
        additionalProperties: false,
      },
      ...(this.#overlay.length === 0 ? {} : { parameters: Object.fromEntries(this.#overlay) }),
    };
  }
}

/**
 * Returns the schema of a property. A default of the document is what the service does without a value: it is told, and not filled in. `auth: false`:
 * a name such as `key` is an ordinary parameter here, because credentials are no parameters of callers.
 */
function propertyOf({ schema, description }: Declared, sentAs: string | undefined): JsonSchema {
  const { default: byDefault, description: own, ...rest } = schema;
  const texts = sentences(
    plainText(description, textLimits.parameter) || plainText(own, textLimits.parameter),
    sentAs === undefined ? '' : `Sent as ${plainText(sentAs, 80)}.`,
    byDefault === undefined || isPlainObject(byDefault) ? '' : `Default: ${plainText(shownValue(byDefault), 60)}.`,
  );
  return { ...rest, ...(texts === '' ? {} : { description: texts }), auth: false };
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

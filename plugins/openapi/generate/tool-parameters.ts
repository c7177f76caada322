import { isSecretName, type JsonObject, type JsonSchema } from '../../../kernel/index.ts';
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
  /** A text of ours behind the description, which is not cut. */
  readonly remark?: string;
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
  readonly #dependent: [string, string[]][] = [];

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
    // An ordinary parameter with a name such as `key`: credentials are no parameters of callers here.
    const overlay = { ...declared.overlay, ...(isSecretName(name) ? { auth: false } : {}) };
    if (Object.keys(overlay).length > 0) this.#overlay.push([name, overlay]);
    return name;
  }

  /** Requires `needed` wherever one of `names` is given. */
  needTogether(names: readonly string[], needed: readonly string[]): void {
    for (const name of names) {
      const others = needed.filter((other) => other !== name);
      if (others.length > 0) this.#dependent.push([name, others]);
    }
  }

  /** Returns a free placeholder for a value that is computed from a parameter. A name like a secret's would be taken for a credential. */
  derived(name: string): string {
    return this.#names.take(isSecretName(name) ? 'value_as_json' : `${name}_as_json`, 'text');
  }

  /** Returns the schema of a parameter; undefined for a name that none has. */
  schemaOf(name: string): JsonSchema | undefined {
    return this.#properties.find(([one]) => one === name)?.[1];
  }

  /** Returns the keys of the definition. */
  definition(): JsonObject {
    return {
      input_schema: {
        type: 'object',
        properties: Object.fromEntries(this.#properties) as JsonObject,
        ...(this.#required.length === 0 ? {} : { required: this.#required }),
        ...(this.#dependent.length === 0 ? {} : { dependentRequired: Object.fromEntries(this.#dependent) }),
        additionalProperties: false,
      },
      ...(this.#overlay.length === 0 ? {} : { parameters: Object.fromEntries(this.#overlay) }),
    };
  }
}

/** Returns the schema of a property. A default of the document is what the service does without a value: its text says so, and nothing fills it in. */
function propertyOf({ schema, description, remark = '' }: Declared, sentAs: string | undefined): JsonSchema {
  const { default: byDefault, description: own, ...rest } = schema;
  const texts = sentences(
    plainText(description, textLimits.parameter) || plainText(own, textLimits.parameter),
    sentAs === undefined ? '' : `Sent as ${plainText(sentAs, 80)}.`,
    byDefault === undefined || byDefault === '' || typeof byDefault === 'object' ? '' : `Default: ${plainText(shownValue(byDefault), 60)}.`,
    remark,
  );
  return { ...rest, ...(texts === '' ? {} : { description: texts }) };
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

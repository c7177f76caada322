import type { JsonObject } from '../../../kernel/index.ts';
import type { NeededName } from './generated.ts';

/** A value that the operator supplies, such as a token or a part of the host. */
export interface SuppliedValue extends NeededName {
  readonly default?: string;
  readonly enum?: readonly string[];
}

/** Collects the values that the operator supplies for one source, as `parameter_mapping` of its provider. */
export class SuppliedValues {
  readonly #prefix: string;
  readonly #values = new Map<string, SuppliedValue>();

  constructor(source: string) {
    this.#prefix = `${upperName(source)}_`;
  }

  /** Returns the name of a value, which begins with the name of the source, once: `BOX_TOKEN`. */
  nameOf(...words: readonly string[]): string {
    const name = upperName(words.join('_')).slice(0, 60) || 'VALUE';
    return name.startsWith(this.#prefix) ? name : this.#prefix + name;
  }

  /** Adds a value. One that is there stays, and is required where one of the two is. Returns its name, as a placeholder has it. */
  add(value: SuppliedValue): string {
    const known = this.#values.get(value.name);
    if (known === undefined) this.#values.set(value.name, value);
    else if (value.isRequired && !known.isRequired) this.#values.set(value.name, { ...known, isRequired: true });
    return value.name;
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  get needs(): readonly NeededName[] {
    return [...this.#values.values()].map(({ name, isSecret, isRequired, description }) => ({ name, isSecret, isRequired, description }));
  }

  /** Returns `parameter_mapping` of the provider. */
  mapping(): readonly JsonObject[] {
    return [...this.#values.values()].map(({ name, isSecret, isRequired, description, default: value, enum: values }) => ({
      parameter: name,
      env_pattern: name,
      ...(isRequired ? {} : { required: false }),
      ...(isSecret ? {} : { secret: false }),
      ...(value === undefined ? {} : { default: value }),
      ...(values === undefined ? {} : { enum: [...values] }),
      ...(description === '' ? {} : { description }),
    }));
  }
}

function upperName(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}

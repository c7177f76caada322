/** Modules by which a configuration in YAML or JSON may name the plugin. */
export const moduleNames: readonly string[] = ['toolkit/plugins/openapi', '@toolkit/core/plugins/openapi'];

/** A value among the options of the plugin. */
export interface OptionEdit {
  /** The names that lead to it, such as `['sources', 'box']`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns an object that has the value at this path. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

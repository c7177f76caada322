/** A plugin as configurations list it. */
export interface ListedPlugin {
  /** Modules by which YAML and JSON name it; the first is written. */
  readonly modules: readonly string[];
  /** The function of @toolkit/core that code calls. */
  readonly factory: string;
}

export const openapiPlugin: ListedPlugin = { modules: ['toolkit/plugins/openapi', '@toolkit/core/plugins/openapi'], factory: 'openapi' };

export const standardPreset: ListedPlugin = { modules: ['toolkit/standard', '@toolkit/core/standard'], factory: 'standard' };

/** A value among the options of a plugin. */
export interface OptionEdit {
  readonly plugin: ListedPlugin;
  /** The names that lead to the value, such as `['sources', 'box']`. */
  readonly path: readonly string[];
  /** Undefined to remove the value that is there. */
  readonly value: unknown;
}

/** Returns an object that has the value at this path. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

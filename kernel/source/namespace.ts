import { ToolkitError } from '../errors.ts';
import { describeValue } from '../schema/json.ts';

const pattern = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/;

const maxLength = 30;

/** Throws PLUGIN_INVALID for a name that no source can have. */
export function checkSourceName(name: unknown, plugin: string): void {
  if (typeof name === 'string' && name.length <= maxLength && pattern.test(name)) return;
  const expected = `lower-case letters and digits, with single "_" or "-" between them, ${maxLength} characters at most`;
  const message = `Plugin "${plugin}" adds a source whose name cannot be used: expected ${expected}, received ${describeValue(name)}.`;
  throw new ToolkitError('PLUGIN_INVALID', message, { plugin });
}

/** True for a name of the source itself, or one that begins with it and `_`. Case, and `-` for `_`, make no difference. */
export function isInNamespace(name: string, source: string): boolean {
  return ownerOfNames([{ name: source }])(name) !== undefined;
}

/** Finds the source in whose namespace a name lies; undefined where there is none. */
export function ownerOfNames<T extends { readonly name: string }>(sources: readonly T[]): (name: string) => T | undefined {
  const known = sources.map((source) => ({ source, prefix: comparable(source.name) }));
  return (name) => {
    const inside = comparable(name);
    return known.find(({ prefix }) => inside === prefix || inside.startsWith(`${prefix}_`))?.source;
  };
}

function comparable(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** The name within the namespace of a source; a name that begins so already stays. */
export function namespaced(source: string, name: string): string {
  return name.startsWith(`${source}_`) ? name : `${source}_${name}`;
}

/** Returns the beginning of all names of secrets of a source. */
export function secretPrefix(source: string): string {
  return `${source.replaceAll('-', '_').toUpperCase()}_`;
}

import { ToolkitError } from '../../errors.ts';
import { describeValue } from '../../json/json.ts';

const pattern = /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/;

const maxLength = 30;

/** Throws PLUGIN_INVALID for an invalid name of a source. */
export function checkSourceName(name: unknown, plugin: string): void {
  if (typeof name === 'string' && name.length <= maxLength && pattern.test(name)) return;
  const expected = `lower-case letters and digits, with single "_" or "-" between them, ${maxLength} characters at most`;
  const message = `Plugin "${plugin}" adds a source whose name cannot be used: expected ${expected}, received ${describeValue(name)}.`;
  throw new ToolkitError('PLUGIN_INVALID', message, { plugin });
}

/** True for the name of the source, or one that begins with it and `_`. Ignores case, and treats `-` as `_`. */
export function isInNamespace(name: string, source: string): boolean {
  return ownerOfNames([{ name: source }])(name) !== undefined;
}

/** Returns a function that finds the source of a name by its namespace. */
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

/** Returns the name with the prefix of the source, unless it has it already. */
export function namespaced(source: string, name: string): string {
  return name.startsWith(`${source}_`) ? name : `${source}_${name}`;
}

/** Returns the prefix of all secret names of a source. */
export function secretPrefix(source: string): string {
  return `${source.replaceAll('-', '_').toUpperCase()}_`;
}

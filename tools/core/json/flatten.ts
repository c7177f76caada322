import { excerpt, type JsonObject, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { checkDocument, documentTooLarge, maxDocumentCharacters, maxDocumentDepth, nestedTooDeeply } from './check-document.ts';

interface FlattenParameters {
  readonly data: JsonObject | readonly JsonValue[];
  readonly separator: string;
  readonly direction: 'flatten' | 'unflatten';
}

const advice = 'Give a part of the data.';

/** Values and deeper branches by the next part of a name. */
type Branch = Map<string, Branch | { readonly value: JsonValue }>;

/**
 * Turns nested data into one object of long names, or back. Throws INVALID_PARAMETERS for names that cannot be turned back, and
 * OUTPUT_TOO_LARGE.
 */
export function flatten({ data, separator, direction }: FlattenParameters): { readonly result: JsonValue } {
  const result = direction === 'flatten' ? flat(data, separator) : nested(data, separator);
  checkDocument(result, { parameter: 'data', advice });
  return { result };
}

function flat(data: JsonValue, separator: string): JsonValue {
  const members: [string, JsonValue][] = [];
  let characters = 0;
  const walk = (value: JsonValue, prefix: string): void => {
    for (const [name, member] of Object.entries(value as object) as [string, JsonValue][]) {
      if (name.includes(separator)) throw ambiguous(name, separator);
      const full = prefix + name;
      // Every name repeats all the names above it.
      characters += full.length;
      if (characters > maxDocumentCharacters) throw documentTooLarge(advice);
      if (typeof member === 'object' && member !== null && Object.keys(member).length > 0) walk(member, full + separator);
      else members.push([full, member]);
    }
  };
  walk(data, '');
  return Object.fromEntries(members);
}

function nested(data: FlattenParameters['data'], separator: string): JsonValue {
  if (Array.isArray(data)) throw badData('expected an object of long names for direction unflatten, received a list');
  const root: Branch = new Map();
  for (const [name, value] of Object.entries(data) as [string, JsonValue][]) {
    const parts = name.split(separator);
    if (parts.length > maxDocumentDepth) throw nestedTooDeeply('data', maxDocumentDepth);
    let branch = root;
    for (const part of parts.slice(0, -1)) {
      const next = branch.get(part) ?? new Map();
      if (!(next instanceof Map)) throw conflict(name);
      branch.set(part, next);
      branch = next;
    }
    const last = parts.at(-1) ?? '';
    if (branch.has(last)) throw conflict(name);
    branch.set(last, { value });
  }
  return root.size === 0 ? {} : nestedValue(root);
}

/** Builds a list of names that are exactly 0, 1, 2 and so on, and an object of all others: any other rule would build lists with holes. */
function nestedValue(branch: Branch): JsonValue {
  const items = Array.from({ length: branch.size }, (_, index) => branch.get(String(index)));
  if (items.every((item) => item !== undefined)) return items.map(leafOrBranch);
  return Object.fromEntries([...branch].map(([name, member]) => [name, leafOrBranch(member)]));
}

function leafOrBranch(member: Branch | { readonly value: JsonValue }): JsonValue {
  return member instanceof Map ? nestedValue(member) : member.value;
}

function ambiguous(name: string, separator: string): ToolkitError {
  return badData(
    `it has the name "${excerpt(name, 60)}", which contains the separator "${separator}". Choose a separator that is in no name, such as "/" or "|"`,
  );
}

function conflict(name: string): ToolkitError {
  return badData(`it has "${excerpt(name, 100)}", but a part of that name, or a name that continues it, has a value as well. Take one out`);
}

function badData(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "data": ${message}.`, { issues: [{ path: 'data', message }] });
}

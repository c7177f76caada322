import { isPlainObject } from '../../../kernel/index.ts';
import type { Located } from '../document/resolve.ts';
import { isTrue, shortText, textOf } from './members.ts';
import { followed, membersOf, type OperationContext } from './read-context.ts';

/** A parameter in its document, followed. */
export interface ListedParameter {
  readonly name: string;
  /** In lower case; of 2.0 also `body` and `formdata`. */
  readonly in: string;
  readonly located: Located;
}

/** Maximum length of a parameter's name, in characters. The longest public one has 65. */
const maxNameLength = 500;

const places = ['path', 'query', 'header', 'cookie', 'body', 'formdata'];

/**
 * Returns the parameters of an operation and its path. Those of the operation come first, and replace those of the path with the same name and place. Throws
 * `UnusableOperation` for a broken reference.
 */
export function listParameters(context: OperationContext, isInPath: (name: string) => boolean): readonly ListedParameter[] {
  const { located, items, opened } = context;
  const found = new Map<string, ListedParameter>();
  for (const owner of [located, ...items]) {
    const ofOwner = new Set<string>();
    for (const [, entry] of membersOf(context, opened.resolver.at(owner, 'parameters'))) {
      const parameter = listed(context, entry, isInPath);
      if (parameter === undefined) continue;
      const key = parameter.in === 'body' ? 'body' : `${parameter.in} ${parameter.name}`;
      if (ofOwner.has(key)) context.note(`parameter "${shortText(parameter.name, 60)}" is there twice; the first one counts`);
      else if (!found.has(key)) found.set(key, parameter);
      ofOwner.add(key);
    }
  }
  return [...found.values()];
}

function listed(context: OperationContext, entry: Located, isInPath: (name: string) => boolean): ListedParameter | undefined {
  const located = followed(context, entry);
  const name = textOf(located.value, 'name');
  const written = textOf(located.value, 'in')?.toLowerCase();
  const place = written === undefined && name !== undefined && isInPath(name) ? 'path' : written;
  const isNamed = place === 'body' || (name !== undefined && name.length <= maxNameLength);
  if (isPlainObject(located.value) && place !== undefined && places.includes(place) && isNamed)
    return { name: name ?? 'body', in: place, located };
  const required = isTrue(located.value, 'required') ? ', although it is required' : '';
  context.note(`a parameter without a valid name and place is ignored${required}`);
  return undefined;
}

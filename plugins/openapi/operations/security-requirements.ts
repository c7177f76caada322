import { excerpt, isPlainObject } from '../../../kernel/index.ts';
import type { SchemeUse } from './operation.ts';
import { memberOf, type OperationContext } from './read-context.ts';

/**
 * Returns the alternatives of an operation: its own, else those of the document. An empty list of the operation means none. An alternative
 * with a scheme that the document does not define cannot be met: it is left out with a note.
 */
export function readSecurity({ located, root, securitySchemes, note }: OperationContext): readonly (readonly SchemeUse[])[] {
  const own = memberOf(located.value, 'security');
  const list = Array.isArray(own) ? own : memberOf(root.value, 'security');
  // An object in place of the list of one.
  const entries = Array.isArray(list) ? list : isPlainObject(list) ? [list] : [];
  return entries.filter(isPlainObject).flatMap((entry) => {
    const unknown = Object.keys(entry).filter((scheme) => !securitySchemes.has(scheme));
    if (unknown.length > 0) {
      note(`security scheme "${excerpt(unknown.join(', '), 80)}" is not defined: ignored`);
      return [];
    }
    return [Object.entries(entry).map(([scheme, scopes]) => ({ scheme, scopes: textsOf(scopes) }))];
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

import { isPlainObject } from '../../../kernel/index.ts';
import { memberOf, shortText } from './members.ts';
import type { SchemeUse } from './operation.ts';
import type { OperationContext } from './read-context.ts';

/** Maximum alternatives of a list that are read. */
const maxAlternatives = 100;

/**
 * Returns the alternatives of an operation: its own, else those of the document. An empty list of the operation means none. An alternative
 * with a scheme that the document does not define cannot be met: it is left out with a note.
 */
export function readSecurity({ located, root, securitySchemes, note, budget }: OperationContext): readonly (readonly SchemeUse[])[] {
  const own = memberOf(located.value, 'security');
  const list = Array.isArray(own) ? own : memberOf(root.value, 'security');
  // An object in place of the list of one.
  const entries = Array.isArray(list) ? list.slice(0, maxAlternatives) : isPlainObject(list) ? [list] : [];
  return entries.filter(isPlainObject).flatMap((entry) => {
    const names = Object.keys(entry);
    budget.spend(names.length);
    const unknown = names.find((scheme) => !securitySchemes.has(scheme));
    if (unknown === undefined) return [names.map((scheme) => ({ scheme, scopes: textsOf(entry[scheme]) }))];
    note(`security scheme "${shortText(unknown, 80)}" is not defined: ignored`);
    return [];
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, maxAlternatives).filter((item) => typeof item === 'string') : [];
}

import { memberOf } from './members.ts';
import type { OperationContext } from './read-context.ts';

/** Maximum media types of a list that are read. */
const maxTypes = 50;

/** Returns a media type without parameters, in lower case. Undefined for a text that is none. Ranges such as `*\/*` are kept. */
export function mediaTypeOf(text: string): string | undefined {
  const type = (text.slice(0, 500).split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type) ? type : undefined;
}

/** Returns the media types of `consumes` or `produces` of 2.0: those of the operation, else of the document; one of each. */
export function mediaTypesOf({ located, root }: OperationContext, name: 'consumes' | 'produces'): readonly string[] {
  const list = memberOf(located.value, name) ?? memberOf(root.value, name);
  const types = (Array.isArray(list) ? list.slice(0, maxTypes) : [list]).map((type) =>
    typeof type === 'string' ? mediaTypeOf(type) : undefined,
  );
  return [...new Set(types.filter((type) => type !== undefined))];
}

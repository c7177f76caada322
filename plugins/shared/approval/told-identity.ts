import { type CallIdentity, describeValue, isPlainObject, type Tool, ToolkitError } from '../../../kernel/index.ts';

const names = ['destination', 'program', 'folder'] as const;

/** A part of what a call will run: the text for a person, or that with the state behind it, such as a hash. */
type ToldPart = string | { readonly shown: string; readonly state?: string };

/** What a module that a definition names as `identify` returns: a destination, or several parts. */
export type ToldIdentity = string | { readonly [Name in (typeof names)[number]]?: ToldPart };

/** Checks what such a module returned. Throws TOOL_INVALID. */
export function toldIdentity(told: unknown, { name: tool }: Tool): CallIdentity {
  if (typeof told === 'string') return { destination: { shown: told } };
  const parts = isPlainObject(told) ? Object.entries(told) : [['', told] as const];
  return Object.fromEntries(
    parts.map(([name, part]) => {
      const known = names.find((each) => each === name);
      if (known !== undefined && typeof part === 'string') return [known, { shown: part }];
      if (known !== undefined && isPart(part))
        return [known, { shown: part.shown, ...(part.state === undefined ? {} : { state: part.state }) }];
      throw new ToolkitError(
        'TOOL_INVALID',
        `"identify" of tool "${tool}" expected a text, or { ${names.join(', ')} } of texts or {shown, state}, received ${name === '' ? '' : `"${name}" as `}${describeValue(part)}.`,
        { tool },
      );
    }),
  );
}

function isPart(part: unknown): part is { readonly shown: string; readonly state?: string } {
  return isPlainObject(part) && typeof part['shown'] === 'string' && ['string', 'undefined'].includes(typeof part['state']);
}

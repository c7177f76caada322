import { type CallIdentity, describeValue, type IdentityPart, isPlainObject, type Tool, ToolkitError } from '../../../kernel/index.ts';

const names = ['destination', 'content', 'program', 'folder'] as const;

/** A part of a call's identity: its display text, or that with a state behind it, such as a hash. */
type DeclaredPart = string | { readonly shown: string; readonly state?: string };

/** Return value of a module named by `identify` in a definition: a destination, or several parts, and files by path. */
export type DeclaredIdentity =
  | string
  | ({ readonly [Name in (typeof names)[number]]?: DeclaredPart } & { readonly files?: Readonly<Record<string, DeclaredPart>> });

/** Checks the return value of an `identify` module. Throws TOOL_INVALID. */
export function parseDeclaredIdentity(told: unknown, { name: tool }: Tool): CallIdentity {
  if (typeof told === 'string') return { destination: { shown: told } };
  const parts = isPlainObject(told) ? Object.entries(told) : [['', told] as const];
  return Object.fromEntries(
    parts.map(([name, part]) => {
      if (name === 'files' && isPlainObject(part))
        return [
          name,
          Object.fromEntries(Object.entries(part).map(([path, one]) => [path, partOf(one) ?? refuse(tool, `files "${path}"`, one)])),
        ];
      const known = names.find((each) => each === name);
      return [name, (known === undefined ? undefined : partOf(part)) ?? refuse(tool, name, part)];
    }),
  );
}

function partOf(part: unknown): IdentityPart | undefined {
  if (typeof part === 'string') return { shown: part };
  if (!isPlainObject(part) || typeof part['shown'] !== 'string') return undefined;
  const { shown, state } = part;
  if (state === undefined) return { shown };
  return typeof state === 'string' ? { shown, state } : undefined;
}

function refuse(tool: string, name: string, part: unknown): never {
  throw new ToolkitError(
    'TOOL_INVALID',
    `"identify" of tool "${tool}" expected a text, or { ${names.join(', ')}, files } of texts or {shown, state}, received ${name === '' ? '' : `"${name}" as `}${describeValue(part)}.`,
    { tool },
  );
}

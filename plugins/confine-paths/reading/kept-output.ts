import { excerpt, isPlainObject, pointerSegments, ToolkitError } from '../../../kernel/index.ts';

/** True for a value that names a kept output, in place of a path. */
export function namesOutput(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('output://');
}

/** A kept output, as a parameter names it: `output://<id>`, with the page that a link names, which counts for nothing, and a pointer into its JSON. */
interface OutputName {
  readonly id: string;
  /** RFC 6901; `*` for each item of a list. */
  readonly pointer?: string;
}

/** Takes `output://<id>#/rows/0` apart. Undefined for what is no such name. */
export function outputName(uri: string): OutputName | undefined {
  const [, id, pointer] = /^output:\/\/([\w-]+)(?:\/(?:\d*|whole))?(?:#(\/.*)?)?$/s.exec(uri) ?? [];
  if (id === undefined) return undefined;
  return { id, ...(pointer === undefined ? {} : { pointer }) };
}

/** Returns what is at a pointer (RFC 6901) in a value; `*` stands for each item of a list, and gives the list of what is found. Throws NOT_FOUND. */
export function valueAt(value: unknown, pointer: string): unknown {
  return inside(value, pointerSegments(pointer), pointer);
}

function inside(value: unknown, [segment, ...rest]: readonly string[], pointer: string): unknown {
  if (segment === undefined) return value;
  if (segment === '*' && Array.isArray(value)) return value.map((item) => inside(item, rest, pointer));
  const has = Array.isArray(value)
    ? /^\d+$/.test(segment) && Number(segment) < value.length
    : isPlainObject(value) && Object.hasOwn(value, segment);
  if (has) return inside((value as Record<string, unknown>)[segment], rest, pointer);
  throw new ToolkitError(
    'NOT_FOUND',
    `The output has nothing at ${excerpt(pointer, 100)}: there is no "${excerpt(segment, 50)}". Look at its members first.`,
  );
}

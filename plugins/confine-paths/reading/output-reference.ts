import { excerpt, isPlainObject, pointerSegments, ToolkitError } from '../../../kernel/index.ts';

/** True for a value that names a stored output, in place of a path. */
export function namesOutput(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('output://');
}

/** The name of a stored output in a parameter: `output://<id>`, with a page number that is ignored, and a pointer into its JSON. */
interface OutputReference {
  readonly id: string;
  /** A JSON pointer (RFC 6901); `*` stands for each item of a list. */
  readonly pointer?: string;
}

/** Parses `output://<id>#/rows/0`. Returns undefined for any other text. */
export function parseOutputReference(uri: string): OutputReference | undefined {
  const [, id, pointer] = /^output:\/\/([\w-]+)(?:\/(?:\d*|whole))?(?:#(\/.*)?)?$/s.exec(uri) ?? [];
  if (id === undefined) return undefined;
  return { id, ...(pointer === undefined ? {} : { pointer }) };
}

/** Returns the value at a pointer (RFC 6901). `*` stands for each item of a list and returns the list of results. Throws NOT_FOUND. */
export function valueAt(value: unknown, pointer: string): unknown {
  return valueAtSegments(value, pointerSegments(pointer), pointer);
}

function valueAtSegments(value: unknown, [segment, ...rest]: readonly string[], pointer: string): unknown {
  if (segment === undefined) return value;
  if (segment === '*' && Array.isArray(value)) return value.map((item) => valueAtSegments(item, rest, pointer));
  const hasMember = Array.isArray(value)
    ? /^\d+$/.test(segment) && Number(segment) < value.length
    : isPlainObject(value) && Object.hasOwn(value, segment);
  if (hasMember) return valueAtSegments((value as Record<string, unknown>)[segment], rest, pointer);
  throw new ToolkitError(
    'NOT_FOUND',
    `The output has nothing at ${excerpt(pointer, 100)}: there is no "${excerpt(segment, 50)}". Look at its members first.`,
  );
}

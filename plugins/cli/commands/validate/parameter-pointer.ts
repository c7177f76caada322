import type { Tool } from '../../../../kernel/index.ts';

/** Where a parameter stands in the definition, as a JSON pointer (RFC 6901). */
export function parameterPointer({ input_schema: schema }: Tool['definition'], name: string): string {
  return `${schema === undefined ? '/parameters' : '/input_schema/properties'}/${escapeSegment(name)}`;
}

/** RFC 6901, 3. */
export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

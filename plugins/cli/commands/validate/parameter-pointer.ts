import type { Tool } from '../../../../kernel/index.ts';

/** Returns the position of a parameter in the definition, as a JSON pointer (RFC 6901). */
export function parameterPointer({ input_schema: schema }: Tool['definition'], name: string): string {
  return `${schema === undefined ? '/parameters' : '/input_schema/properties'}/${escapeSegment(name)}`;
}

/** Escapes a segment of a JSON pointer (RFC 6901, section 3). */
export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

import type { Tool } from '../../../../kernel/index.ts';

/** Returns the position of a parameter in the definition, as a JSON pointer (RFC 6901). `key`: the member of the parameter that is meant. */
export function parameterPointer({ input_schema: schema, parameters = {} }: Tool['definition'], name: string, key?: string): string {
  const isOverlaid = key !== undefined && Object.hasOwn(parameters, name) && Object.hasOwn(parameters[name] ?? {}, key);
  return `${schema === undefined || isOverlaid ? '/parameters' : '/input_schema/properties'}/${escapeSegment(name)}`;
}

/** Escapes a segment of a JSON pointer (RFC 6901, section 3). */
export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

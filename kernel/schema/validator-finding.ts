/** A finding of the validator. */
export interface Finding {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

/** Returns the segments of a pointer (RFC 6901). */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the value at a pointer. */
export function valueAt(root: unknown, pointer: string): unknown {
  return pointerSegments(pointer).reduce<unknown>((value, segment) => (value as Record<string, unknown> | undefined)?.[segment], root);
}

/** Returns the subschema at a pointer of the validator, which follows references without naming them. */
export function schemaAt(schema: object, pointer: string): Record<string, unknown> | undefined {
  const definitions: Record<string, unknown> = {};
  const entered = (node: unknown): Record<string, unknown> | undefined => {
    if (typeof node !== 'object' || node === null) return undefined;
    const { $defs, $ref } = node as { $defs?: object; $ref?: unknown };
    Object.assign(definitions, $defs);
    return typeof $ref === 'string' ? entered(definitions[$ref.replace(/^#\/\$defs\//, '')]) : (node as Record<string, unknown>);
  };
  return pointerSegments(pointer).reduce((node, segment) => entered(node?.[segment]), entered(schema));
}

/** Returns a value as JSON, for a message. */
export function asJson(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** Returns a list, or the one value in a list. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

import { isPlainObject, patternExcess } from '../../../kernel/index.ts';

/** A pattern of a schema that is too large to compile. */
export interface ExcessivePattern {
  /** Its path in the schema, such as `properties.name.pattern`. */
  readonly path: string;
  /** The reason with the limit, as the end of a sentence. */
  readonly excess: string;
}

/** Finds the first pattern of a schema that is too long or too deep, among the values of `pattern` and the names in `patternProperties`. */
export function excessivePattern(schema: unknown): ExcessivePattern | undefined {
  const todo: { readonly value: unknown; readonly path: string }[] = [{ value: schema, path: '' }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, path } = next;
    if (Array.isArray(value)) todo.push(...value.map((item, index) => ({ value: item, path: `${path}[${index}]` })));
    if (!isPlainObject(value)) continue;
    const names = isPlainObject(value['patternProperties']) ? Object.keys(value['patternProperties']) : [];
    for (const [key, pattern] of [['pattern', value['pattern']], ...names.map((name) => ['patternProperties', name])] as const) {
      const excess = typeof pattern === 'string' ? patternExcess(pattern) : undefined;
      if (excess !== undefined) return { path: joined(path, String(key)), excess };
    }
    for (const [key, member] of Object.entries(value)) todo.push({ value: member, path: joined(path, key) });
  }
  return undefined;
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

import { isPlainObject } from '../../../kernel/index.ts';

/** True for a value that a definition would take for the key of a path: `path: read`, `path: write` or `from: path`, at any depth. */
export function holdsPathKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPathKey);
  if (!isPlainObject(value)) return false;
  return value['path'] === 'read' || value['path'] === 'write' || value['from'] === 'path' || Object.values(value).some(holdsPathKey);
}

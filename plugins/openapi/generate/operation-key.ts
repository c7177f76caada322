import type { Operation } from '../operations/operation.ts';

/** Returns the key of an operation, such as `get /files/{file_id}`: unique in its document, and as long as method and path stay. */
export function keyOfOperation({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

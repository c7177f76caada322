import { isPlainObject, type JsonValue, type Tool } from '../../../kernel/index.ts';
import { paginateOf } from './paginate-of.ts';

/** The answer of the service in an output: without what `paginate` puts around it. */
export function asAnswered(tool: Tool, output: JsonValue): JsonValue {
  const paginate = paginateOf(tool);
  if (paginate === undefined || !isPlainObject(output)) return output;
  const { next, ...rest } = output as Record<string, JsonValue>;
  if (paginate.items === '') return rest['items'] ?? output;
  const isTold = paginate.next.cursor !== undefined || paginate.next.offset !== undefined;
  return isTold || next === undefined ? output : rest;
}

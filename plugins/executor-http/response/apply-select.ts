import {
  type CallContext,
  type ExecutionResult,
  excerpt,
  isLarge,
  type JsonValue,
  messageOf,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { type CompiledSelect, jmespath } from '../definition/select.ts';

/** Compiled expressions of tools that were called. */
const compiled = new WeakMap<Tool, CompiledSelect>();

/**
 * Returns the result with `select` applied to its output. The image of an answer is dropped with the answer. Throws
 * OUTPUT_INVALID, with the answer in its details.
 */
export function applySelect(result: ExecutionResult, expression: string, { tool, mask }: CallContext): ExecutionResult {
  const { content: _content, ...rest } = result;
  const { compile, TreeInterpreter } = jmespath();
  const output = result.output as JsonValue;
  try {
    const select = compiled.get(tool) ?? compile(expression);
    compiled.set(tool, select);
    return { ...rest, output: TreeInterpreter.search(select, withoutPrototypes(output) as never) ?? null };
  } catch (error) {
    const message = `"select" of "${tool.name}" does not fit its answer: ${excerpt(mask(messageOf(error)))}.`;
    const { status } = result.meta as { readonly status: number };
    throw new ToolkitError('OUTPUT_INVALID', message, { tool: tool.name, status, ...(isLarge(output) ? {} : { output }) });
  }
}

/** Returns a copy without prototypes: the library would find `constructor` in every object. */
function withoutPrototypes(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPrototypes(member)])),
  );
}

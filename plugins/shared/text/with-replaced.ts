import type { ExecutionResult } from '../../../kernel/index.ts';

/**
 * Adds the number of U+FFFD characters that replace non-UTF-8 bytes to a result with an output of its own shape: in `meta.replaced`, and
 * in words after the output when that is shown as text.
 */
export function withReplaced(result: ExecutionResult, replaced: number | undefined): ExecutionResult {
  if (replaced === undefined || replaced === 0) return result;
  const { output, content, meta } = result;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const note = `(${replaced} ${replaced === 1 ? 'character' : 'characters'} U+FFFD of this stand in place of bytes that were not UTF-8.)`;
  return { ...result, content: [...(content ?? [{ type: 'text', text }]), { type: 'text', text: note }], meta: { ...meta, replaced } };
}

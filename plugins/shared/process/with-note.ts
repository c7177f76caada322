import { type ExecutionResult, ToolkitError } from '../../../kernel/index.ts';

/** Adds the launcher's note to a result: in `meta`, and after the output when that is shown as text. */
export function withNote(result: ExecutionResult, note: string | undefined): ExecutionResult {
  if (note === undefined) return result;
  const { output, content, meta } = result;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { ...result, content: [...(content ?? [{ type: 'text', text }]), { type: 'text', text: note }], meta: { ...meta, note } };
}

/** Appends the launcher's note to an error's message. */
export function errorWithNote(error: unknown, note: string | undefined): unknown {
  if (note === undefined || !ToolkitError.is(error)) return error;
  return new ToolkitError(error.code, `${error.message} (${note})`, error.details, { cause: error });
}

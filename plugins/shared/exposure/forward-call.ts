import { approvedArgument, type ContentPart, type CutOutput, type ErrorCode, type ToolView } from '../../../kernel/index.ts';
import { outputText } from './result-text.ts';

/** What a handler that calls other tools needs of its context. */
export interface ForwardingContext {
  readonly tools: ToolView;
  error(code: ErrorCode, message: string): Error;
  withContent(output: unknown, content: readonly ContentPart[], structured?: CutOutput): unknown;
}

export interface ForwardedCall {
  readonly name: string;
  /** Of the called tool, and whether a person agreed to it. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Calls another tool for the same caller, as that caller would. Its result is shown as it shows itself; its errors pass unchanged. */
export async function forwardCall({ name, arguments: given }: ForwardedCall, context: ForwardingContext): Promise<unknown> {
  const { [approvedArgument]: approved, ...parameters } = given;
  if (approved !== undefined && typeof approved !== 'boolean' && typeof approved !== 'string')
    throw context.error(
      'INVALID_PARAMETERS',
      `The argument ${approvedArgument} of "${name}" is wrong: expected true, or the text of an approval token.`,
    );
  const { output, content, structured, error } = await context.tools.call(name, parameters, approved === false ? undefined : approved);
  if (error !== undefined) throw error;
  return context.withContent({ output }, content ?? [{ type: 'text', text: outputText(output) }], structured && wrapped(structured));
}

/** The part of an output, as it stands in the result of the tool that made the call. */
function wrapped({ output, pointers, ...more }: CutOutput): CutOutput {
  return { output: { output }, pointers: pointers.map((pointer) => `/output${pointer}`), ...more };
}

import { approvedArgument, type ContentPart, type CutOutput, type ErrorCode, type ToolView } from '../../../kernel/index.ts';
import { outputText } from './tool-output.ts';

/** Parts of the context that a tool needs to call other tools. */
export interface ForwardingContext {
  readonly tools: ToolView;
  error(code: ErrorCode, message: string): Error;
  withContent(output: unknown, content: readonly ContentPart[], structured?: CutOutput): unknown;
}

export interface ForwardedCall {
  readonly name: string;
  /** Arguments of the called tool, and the approval argument. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Calls another tool for the same caller. The result keeps the called tool's content; errors pass unchanged. */
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

/** Wraps a cut output as it appears in the result of the forwarding tool. */
function wrapped({ output, pointers, ...more }: CutOutput): CutOutput {
  return { output: { output }, pointers: pointers.map((pointer) => `/output${pointer}`), ...more };
}

import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { type ForwardedCall, forwardCall } from '../../../plugins/shared/exposure/forward-call.ts';

/** Calls another tool as the same caller. Schema, approval and policy of that tool apply. */
export async function callTool(call: ForwardedCall, context: FunctionContext): Promise<unknown> {
  if (call.name !== 'toolkit_call_tool') return forwardCall(call, context);
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    'toolkit_call_tool cannot call itself. Give the name and the arguments of the tool that you mean.',
  );
}

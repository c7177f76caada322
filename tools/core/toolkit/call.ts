import { approvedArgument, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface CallParameters {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Calls another tool for the same caller. Schema, approval and policy of that tool apply; its errors pass unchanged. */
export async function callTool({ name, arguments: given }: CallParameters, { tools, error }: FunctionContext): Promise<unknown> {
  if (name === 'toolkit_call_tool') throw calledItself();
  const { [approvedArgument]: approved, ...parameters } = given;
  if (approved !== undefined && typeof approved !== 'boolean' && typeof approved !== 'string')
    throw error(
      'INVALID_PARAMETERS',
      `The argument ${approvedArgument} of "${name}" is wrong: expected true, or the text of an approval token.`,
    );
  const word = approved === false ? undefined : approved;
  return { output: (await tools.call(name, parameters, word)).output };
}

function calledItself(): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    'toolkit_call_tool cannot call itself. Give the name and the arguments of the tool that you mean.',
  );
}

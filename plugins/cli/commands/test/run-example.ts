import { type CallRequest, type JsonValue, type Kernel, messageOf, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import type { Cassette, CassetteExample } from './cassette/cassette.ts';
import { madeUp, type Session } from './cassette/session.ts';

/** A kernel whose tools ask a session in place of the world outside. */
export interface Stage {
  readonly kernel: Kernel;
  readonly session: Session;
}

/** What came of a call, as a cassette has it. */
export type Outcome =
  /** `failure`: why the work failed, where the tool answers that with an output (`failure_output`). */
  | { readonly output: JsonValue; readonly failure?: ToolkitError }
  | { readonly error: { readonly code: string; readonly message: string }; readonly cause: ToolkitError };

/** Calls the tool as an example says, in a folder that holds what the cassette says. Throws only what is no failure of the tool. */
export async function runExample(
  { kernel, session }: Stage,
  tool: Tool,
  cassette: Pick<Cassette, 'credentials' | 'files' | 'runs'>,
  example: CassetteExample,
  request: Pick<CallRequest, 'signal' | 'client'> = {},
): Promise<Outcome> {
  await session.scratch.fill(cassette.files);
  session.begin(cassette, example);
  try {
    const { output, error } = await kernel.call({
      tool: tool.name,
      parameters: session.scratch.real(example.parameters),
      ...(session.isLive ? {} : { approved: true, credentials: (called: Tool) => credentialsOf(called, cassette) }),
      ...request,
    });
    return { output: session.written(output), ...(error === undefined ? {} : { failure: error }) };
  } catch (error) {
    const cause = ToolkitError.is(error) ? error : new ToolkitError('EXECUTION_FAILED', messageOf(error), {}, { cause: error });
    if (cause.code === 'ABORTED') throw cause;
    return { error: { code: cause.code, message: session.written(cause.message) }, cause };
  }
}

/** Those of the cassette; where it says nothing of them, those that are required, made up. Also for tools that the tool calls. */
function credentialsOf({ credentials: needs }: Tool, { credentials }: Pick<Cassette, 'credentials'>): Readonly<Record<string, string>> {
  const known = needs.filter(({ name, required }) => (credentials === undefined ? required : Object.hasOwn(credentials, name)));
  return Object.fromEntries(known.map(({ name }) => [name, credentials?.[name] ?? madeUp(name)]));
}

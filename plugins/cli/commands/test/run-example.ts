import { type CallRequest, type JsonValue, type Kernel, messageOf, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import type { Cassette, CassetteExample } from './cassette/cassette.ts';
import { madeUpValue, type Session } from './cassette/session.ts';

/** A kernel whose tools send their requests to a session in place of the outside world. */
export interface TestSetup {
  readonly kernel: Kernel;
  readonly session: Session;
}

/** Result of a call, in the form of a cassette. */
export type Outcome =
  /** `failure`: error of a tool that answers failures with an output (`failure_output`). */
  | { readonly output: JsonValue; readonly failure?: ToolkitError }
  | { readonly error: { readonly code: string; readonly message: string }; readonly cause: ToolkitError };

/** Runs an example in a folder with the files of the cassette. Throws only ABORTED, and errors of the test itself. */
export async function runExample(
  { kernel, session }: TestSetup,
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
      parameters: session.scratch.fromCassette(example.parameters),
      ...(session.isLive ? {} : { approved: true, credentials: (called: Tool) => credentialsOf(called, cassette) }),
      ...request,
    });
    return { output: session.toCassette(output), ...(error === undefined ? {} : { failure: error }) };
  } catch (error) {
    const cause = ToolkitError.is(error) ? error : new ToolkitError('EXECUTION_FAILED', messageOf(error), {}, { cause: error });
    if (cause.code === 'ABORTED') throw cause;
    return { error: { code: cause.code, message: session.toCassette(cause.message) }, cause };
  }
}

/** Returns the credentials of the cassette; without any there, the required ones, made up. Also for tools that the tool calls. */
function credentialsOf({ credentials: needs }: Tool, { credentials }: Pick<Cassette, 'credentials'>): Readonly<Record<string, string>> {
  const known = needs.filter(({ name, required }) => (credentials === undefined ? required : Object.hasOwn(credentials, name)));
  return Object.fromEntries(known.map(({ name }) => [name, credentials?.[name] ?? madeUpValue(name)]));
}

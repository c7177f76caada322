import Type from 'typebox';
import {
  type AccessRequest,
  apiVersion,
  type Call,
  type CallContext,
  type CallOutput,
  type CallRequest,
  type CredentialRequest,
  type CredentialSource,
  type CredentialsOf,
  definePlugin,
  type Kernel,
  type KernelOptions,
  type MissingCredential,
  type Plugin,
  revealSecret,
  type ScopeRefusal,
  type Secret,
  type SourcedCredential,
  ToolkitError,
} from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export type Answer = SourcedCredential | MissingCredential | undefined;

export interface TestSource {
  readonly plugin: Plugin;
  readonly asked: readonly CredentialRequest[];
  /** Requests for access. */
  readonly access: readonly AccessRequest[];
}

/** A plugin with a source that provides these names, and answers as they say for each request. */
export function source(
  answers: Readonly<Record<string, (request: CredentialRequest) => Answer>>,
  { name = 'accounts', ask, ...more }: Partial<CredentialSource> & { readonly name?: string } = {},
): TestSource {
  const asked: CredentialRequest[] = [];
  const access: AccessRequest[] = [];
  const given: CredentialSource = {
    provides: (secret) => Object.hasOwn(answers, secret),
    find: async (request) => {
      asked.push(request);
      const found = request.names.map((secret) => [secret, answers[secret]?.(request)] as const);
      return new Map(found.flatMap(([secret, answer]) => (answer === undefined ? [] : [[secret, answer] as const])));
    },
    ...(ask === undefined
      ? {}
      : {
          ask: (request) => {
            access.push(request);
            return ask(request);
          },
        }),
    ...more,
  };
  const plugin = definePlugin({ name, apiVersion, apply: ({ extend }) => extend.callerCredentials(given) })();
  return { plugin, asked, access };
}

/** A missing account, with the link to connect it. */
export function noAccount(provider: string, isFinal?: boolean): MissingCredential {
  const message = `"${provider}" needs an account. Connect one: https://here.test/connect/${provider}`;
  const missing = new ToolkitError('AUTH_REQUIRED', message, { provider, url: `https://here.test/connect/${provider}` });
  return { missing, ...(isFinal === undefined ? {} : { isFinal }) };
}

export interface SourcedKernel {
  readonly kernel: Kernel;
  readonly records: readonly LogRecord[];
  /** Calls a tool, and returns the values of its credentials, as its executor has them. They leave past the output, which is masked. */
  use(request: CallRequest): Promise<Readonly<Record<string, string>>>;
  call(request: CallRequest): Promise<CallOutput>;
}

interface SourcedOptions extends Partial<KernelOptions> {
  /** The text of the execution of each tool, by name, such as `{MAIL_TOKEN}`. */
  readonly tools?: Readonly<Record<string, string>>;
  readonly credentialsOf?: CredentialsOf;
  /** The scopes for whose want the service refuses each credential. */
  readonly scopesLacked?: ScopeRefusal;
  /** Runs instead of the executor. */
  readonly run?: (call: Call, context: CallContext) => unknown;
}

/** A kernel whose tools take credentials. With the parameter `refused` their service refuses them; `inner` names a tool that the tool calls. */
export async function sourcedKernel(plugins: readonly Plugin[], options: SourcedOptions = {}): Promise<SourcedKernel> {
  const { tools = { mail_send: '{MAIL_TOKEN}' }, credentialsOf, run, scopesLacked, ...rest } = options;
  const logger = memoryLogger();
  const results = new Map<string, ReadonlyMap<string, Secret>>();
  const execute = async (call: Call, context: CallContext): Promise<{ output: unknown; meta: object }> => {
    const { inner, refused } = call.parameters;
    if (typeof inner === 'string') return { output: (await context.tools.call(inner, {})).output, meta: {} };
    const live = await context.withLiveCredentials(call);
    const credentials = refused === true ? ((await context.renewCredentials(live, scopesLacked)) ?? new Map()) : live.credentials;
    results.set(context.callId, credentials);
    const output = (await run?.({ ...live, credentials }, context)) ?? null;
    return { output, meta: { status: 200 } };
  };
  const taker = definePlugin({
    name: 'taker',
    apiVersion,
    apply({ extend, hooks }) {
      extend.execution('take', { schema: Type.Object({ text: Type.String() }) });
      hooks.execute.for('take').tapPromise('taker', execute as never);
      hooks.discover.tap('taker', (sink) => {
        const parameters = { refused: { type: 'boolean' }, inner: { type: 'string' } };
        for (const [name, text] of Object.entries(tools))
          sink.addTool({ name, description: 'Takes.', parameters, execution: { type: 'take', text } }, {});
      });
    },
  });
  const placeholder = credentialsPlaceholder(credentialsOf === undefined ? {} : { credentialsOf });
  const kernel = await bareKernel({ plugins: [placeholder, taker(), ...plugins], logger, ...rest });
  return {
    kernel,
    records: logger.records,
    call: (request) => kernel.call(request),
    use: async (request) => {
      const { callId } = await kernel.call(request);
      return Object.fromEntries([...(results.get(callId) ?? [])].map(([name, secret]) => [name, revealSecret(secret)]));
    },
  };
}

import Type from 'typebox';
import { type CallOutput, didYouMean, type Kernel, type Progress, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';
import type { ApprovalQuestion } from '../../shared/model-tools/model-options.ts';
import { describeTool } from '../described-tool.ts';
import type { HostRequest } from '../peer/host-peer.ts';
import { type Method, method } from './method.ts';

const Name = Type.String({ minLength: 1 });
const CallParameters = {
  name: Type.String(),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  credentials: Type.Optional(Type.Record(Type.String(), Type.String())),
  caller: Type.Optional(Name),
  tenant: Type.Optional(Name),
  origin: Type.Optional(Type.Enum(['host', 'model'])),
  approved: Type.Optional(Type.Boolean()),
  approval: Type.Optional(Type.String()),
  traceparent: Type.Optional(Type.String()),
  tracestate: Type.Optional(Type.String()),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  progress: Type.Optional(Type.Boolean()),
};

export const toolMethods: Readonly<Record<string, Method>> = {
  'tools/list': method({ provider: Type.Optional(Name) }, ({ provider }, { toolkit }) => ({
    tools: toolsOf(toolkit.kernel, provider).map(describeTool),
  })),
  'tools/get': method({ name: Type.String() }, ({ name }, { toolkit }) => describeTool(toolkit.kernel.registry.get(name))),
  'tools/search': method(
    { query: Type.String(), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) },
    async ({ query, limit = 10 }, { toolkit }) => {
      const { rankedTools } = await import('../../shared/search/ranked-tools.ts');
      const found = await rankedTools([...toolkit.kernel.registry.tools.values()], { query, limit });
      return {
        tools: found.map(({ tool: { name, description, provider, risk }, score }) => ({
          name,
          description,
          provider: provider?.name,
          risk,
          score,
        })),
      };
    },
  ),
  'tools/call': method(
    CallParameters,
    ({ name, timeoutMs, progress, parameters = {}, traceparent, tracestate, ...rest }, { toolkit, approve }, request) => {
      const limit = timeoutMs === undefined ? undefined : new TimeLimit(name, timeoutMs, request);
      const done = (output: CallOutput): object => {
        limit?.end();
        return { output: output.output, content: output.content, callId: output.callId };
      };
      const fail = (error: unknown): never => {
        limit?.end();
        throw error;
      };
      try {
        const output = toolkit.kernel.start({
          ...rest,
          tool: name,
          parameters,
          ...(traceparent === undefined ? {} : { trace: { traceparent, ...(tracestate === undefined ? {} : { tracestate }) } }),
          ...(approve === undefined
            ? {}
            : {
                client: {
                  approve: async (question, signal) => approve(question as ApprovalQuestion & typeof question, signal ?? request.signal),
                },
              }),
          signal: () => limit?.signal ?? request.signal,
          ...(progress === true ? { onProgress: (told: Progress) => request.progress(told) } : {}),
        });
        return output instanceof Promise ? output.then(done, fail) : done(output);
      } catch (error) {
        return fail(error);
      }
    },
    { isMasked: true },
  ),
  'tools/load': method({ directory: Name }, async ({ directory }, { toolkit }) => {
    const loaded = await toolkit.loadToolsFromDirectory(directory);
    return { tools: loaded.map(({ name }) => describeTool(toolkit.kernel.registry.get(name))) };
  }),
};

function toolsOf({ registry }: Kernel, provider: string | undefined): readonly Tool[] {
  const all = [...registry.tools.values()];
  if (provider === undefined) return all;
  const known = new Set(all.map(providerOf));
  if (known.has(provider)) return all.filter((tool) => providerOf(tool) === provider);
  throw new ToolkitError('INVALID_PARAMETERS', `No tool has the provider "${provider}".${didYouMean(provider, [...known])}`);
}

/** Time limit of a call, in addition to the limits of its tool. Ends the call with TIMEOUT. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #follow: () => void;
  readonly #request: HostRequest;

  constructor(tool: string, timeoutMs: number, request: HostRequest) {
    this.#request = request;
    const late = (): void =>
      this.#controller.abort(new ToolkitError('TIMEOUT', `The call of "${tool}" took longer than ${timeoutMs} ms.`, { tool }));
    this.#timer = setTimeout(late, timeoutMs);
    this.#follow = () => this.#controller.abort(request.signal.reason);
    request.signal.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#follow);
  }
}

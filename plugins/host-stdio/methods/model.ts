import Type from 'typebox';
import { checkValue, isPlainObject, type Progress } from '../../../kernel/index.ts';
import { ModelOptionsSchema } from '../../shared/model-tools/model-options.ts';
import { ModelTools } from '../../shared/model-tools/model-tools.ts';
import type { OpenHost } from '../open-host.ts';
import { invalidParameters } from '../peer/errors.ts';
import { type Method, method } from './method.ts';

/** Options of the adapters. The adapters check them. */
const Options = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

const apis = ['responses', 'chat', 'anthropic'] as const;

/** Schemas of a call in each model API. A model's other output has other types. */
const calls = {
  responses: Type.Object({ type: Type.Literal('function_call'), call_id: Type.String(), name: Type.String(), arguments: Type.String() }),
  chat: Type.Object({
    type: Type.Literal('function'),
    id: Type.String(),
    function: Type.Object({ name: Type.String(), arguments: Type.String() }),
  }),
  anthropic: Type.Object({ type: Type.Literal('tool_use'), id: Type.String(), name: Type.String(), input: Type.Unknown() }),
} as const;

export const modelMethods: Readonly<Record<string, Method>> = {
  'model/tools': method({ form: Type.Enum(['mcp', ...apis]), options: Options }, async ({ form, options = {} }, host) => {
    if (form === 'mcp') return { tools: toolsFor(host, options).list };
    return { tools: (await host.parts.modelForm(form, host.toolkit.kernel, withApproval(host, options))).tools };
  }),
  'model/call': method(
    { options: Options, name: Type.String(), arguments: Type.Optional(Type.Unknown()), progress: Type.Optional(Type.Boolean()) },
    async ({ options = {}, name, arguments: input = {}, progress }, host, request) => {
      const { content, structured, error } = await toolsFor(host, options).call(name, input, {
        signal: request.signal,
        ...(progress === true ? { onProgress: (told: Progress) => request.progress(told) } : {}),
      });
      return { content, isError: error !== undefined, structured, error: error?.toJSON() };
    },
    { isMasked: true },
  ),
  'model/run': method(
    { form: Type.Enum([...apis]), options: Options, calls: Type.Array(Type.Unknown()) },
    async ({ form, options = {}, calls: said }, host, request) => {
      const tools = await host.parts.modelForm(form, host.toolkit.kernel, withApproval(host, options));
      return { results: await tools.run(callsIn(form, said), { signal: request.signal }) };
    },
    { isMasked: true },
  ),
};

/** Returns the calls in a model's output. Throws RpcError for a malformed call. */
function callsIn(form: keyof typeof calls, modelOutput: readonly unknown[]): readonly object[] {
  const { type } = calls[form].properties;
  const wanted = modelOutput.filter((one): one is Record<string, unknown> => isPlainObject(one) && one['type'] === type.const);
  for (const one of wanted) {
    const [issue] = checkValue(calls[form], one);
    if (issue !== undefined) throw invalidParameters('model/run', `a call of type "${type.const}": ${issue.path} ${issue.message}`);
  }
  return wanted;
}

function toolsFor(host: OpenHost, options: Readonly<Record<string, unknown>>): ModelTools {
  return new ModelTools(host.toolkit.kernel, withApproval(host, options), {
    functionName: 'model/tools',
    schema: ModelOptionsSchema,
    outputSchemas: 'compact',
  });
}

/** Adds the client's approval callback to the options, unless the approval gate asks a person itself. */
function withApproval({ approve }: OpenHost, options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return approve === undefined ? options : { onApproval: approve, ...options };
}

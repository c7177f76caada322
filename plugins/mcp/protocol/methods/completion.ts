import Type from 'typebox';
import type { Completer, Completion } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { toRpcError } from '../errors.ts';
import { type Method, method, paramsOf, Texts } from './method.ts';

/** Maximum number of values in one result (MCP, Completion, Completion Results). */
const maxValues = 100;

const CompleteParams = paramsOf({
  ref: Type.Union([
    Type.Object({ type: Type.Literal('ref/prompt'), name: Type.String() }),
    Type.Object({ type: Type.Literal('ref/resource'), uri: Type.String() }),
  ]),
  argument: Type.Object({ name: Type.String(), value: Type.String() }),
  context: Type.Optional(Type.Object({ arguments: Type.Optional(Texts) })),
});

type CompleteParameters = Type.Static<typeof CompleteParams>;

/** Completes the arguments of prompts and the variables of resource templates. */
export const completionMethods: Readonly<Record<string, Method>> = {
  'completion/complete': method({
    params: CompleteParams,
    async answer({ catalog, caller }, params, { signal, context: { span } }) {
      const complete = await completerOf(catalog, params);
      const context = { caller, signal, logger: catalog.kernel.logger, span };
      try {
        const found = (await complete?.(params.argument.value, params.context?.arguments ?? {}, context)) ?? [];
        return completed(catalog.kernel.mask(found));
      } catch (error) {
        throw toRpcError(catalog.kernel, error);
      }
    },
  }),
};

/** Returns the result with as many values as one may have. */
function completed(found: readonly string[] | Completion): object {
  const whole = isList(found) ? { values: found, total: found.length, hasMore: false } : found;
  const { total, hasMore, _meta }: Completion = whole;
  const values = whole.values.slice(0, maxValues);
  const isCut = whole.values.length > values.length;
  return {
    completion: {
      values,
      ...(total === undefined ? {} : { total }),
      ...(hasMore === undefined && !isCut ? {} : { hasMore: hasMore === true || isCut }),
    },
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Narrows to the list: `Array.isArray` does not, for one that is read-only. */
function isList(found: readonly string[] | Completion): found is readonly string[] {
  return Array.isArray(found);
}

/** Finds the completer of an argument; undefined where there is none. Rejects with -32602 for an unknown prompt, template or argument. */
async function completerOf(catalog: Catalog, { ref, argument }: CompleteParameters): Promise<Completer | undefined> {
  if (ref.type === 'ref/prompt') {
    const prompt = catalog.prompts.get(ref.name);
    if (prompt === undefined) throw unknownError('prompt', ref.name);
    const declared = prompt.arguments?.find(({ name }) => name === argument.name);
    if (declared === undefined) throw unknownError('argument', argument.name);
    return declared.complete;
  }
  const template = catalog.resourceTemplates.get(ref.uri);
  if (template === undefined) throw unknownError('resource template', ref.uri);
  const { UriTemplate } = await import('../../../shared/mcp-sdk/uri-template.ts');
  if (!new UriTemplate(template.uriTemplate).variableNames.includes(argument.name)) throw unknownError('variable', argument.name);
  const { complete = {} } = template;
  return Object.hasOwn(complete, argument.name) ? complete[argument.name] : undefined;
}

function unknownError(subject: string, name: string): RpcError {
  return new RpcError(errorCodes.invalidParams, `There is no ${subject} "${name.slice(0, 100)}" to complete.`);
}

import type { Completer } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import type { CompleteRequestParams } from '../../../shared/mcp-sdk/types.ts';
import { UriTemplate } from '../../../shared/mcp-sdk/uri-template.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Connection } from '../clients/connection.ts';
import type { Router } from '../handlers/router.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';

/** Maximum number of values in one result (MCP, Completion, Completion Results). */
const maxValues = 100;

/** Handles `completion/complete` for the arguments of prompts and the variables of resource templates. */
export function handleCompletion({ catalog }: Connection, router: Router): void {
  router.on('completion/complete', async (params) => {
    const complete = completerOf(catalog, params);
    try {
      const completions = (await complete?.(params.argument.value, params.context?.arguments ?? {})) ?? [];
      const values = catalog.kernel.mask(completions.slice(0, maxValues));
      return { completion: { values: [...values], total: completions.length, hasMore: completions.length > values.length } };
    } catch (error) {
      throw toProtocolError(catalog.kernel, error);
    }
  });
}

/** Finds the completer of an argument; undefined where there is none. Throws -32602 for an unknown prompt, template or argument. */
function completerOf(catalog: Catalog, { ref, argument }: CompleteRequestParams): Completer | undefined {
  if (ref.type === 'ref/prompt') {
    const prompt = catalog.prompts.get(ref.name);
    if (prompt === undefined) throw unknownError('prompt', ref.name);
    const declared = prompt.arguments?.find(({ name }) => name === argument.name);
    if (declared === undefined) throw unknownError('argument', argument.name);
    return declared.complete;
  }
  const template = catalog.resourceTemplates.get(ref.uri);
  if (template === undefined) throw unknownError('resource template', ref.uri);
  if (!new UriTemplate(template.uriTemplate).variableNames.includes(argument.name)) throw unknownError('variable', argument.name);
  const { complete = {} } = template;
  return Object.hasOwn(complete, argument.name) ? complete[argument.name] : undefined;
}

function unknownError(subject: string, name: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `There is no ${subject} "${name.slice(0, 100)}" to complete.`);
}

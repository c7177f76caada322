import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { type CompleteRequestParams, CompleteRequestSchema, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Completer } from '../../../kernel/index.ts';
import type { Offer } from './catalog.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Connection } from './protocol-server.ts';
import { readError } from './read-error.ts';

/** MCP, Completion, Completion Results. */
const maxValues = 100;

/** `completion/complete` for the arguments of prompts and the variables of resource templates. */
export function handleCompletion({ router, offer }: Connection): void {
  router.on('completion/complete', CompleteRequestSchema, async ({ params }) => {
    const complete = completerOf(offer, params);
    try {
      const found = (await complete?.(params.argument.value, params.context?.arguments ?? {})) ?? [];
      const values = offer.kernel.mask(found.slice(0, maxValues));
      return { completion: { values: [...values], total: found.length, hasMore: found.length > values.length } };
    } catch (error) {
      throw readError(offer.kernel, error);
    }
  });
}

/** Undefined for an argument that nobody completes. Throws -32602 for a prompt, template or argument that does not exist. */
function completerOf(offer: Offer, { ref, argument }: CompleteRequestParams): Completer | undefined {
  if (ref.type === 'ref/prompt') {
    const prompt = offer.prompts.get(ref.name);
    if (prompt === undefined) throw unknown('prompt', ref.name);
    const declared = prompt.arguments?.find(({ name }) => name === argument.name);
    if (declared === undefined) throw unknown('argument', argument.name);
    return declared.complete;
  }
  const template = offer.resourceTemplates.get(ref.uri);
  if (template === undefined) throw unknown('resource template', ref.uri);
  if (!new UriTemplate(template.uriTemplate).variableNames.includes(argument.name)) throw unknown('variable', argument.name);
  const { complete = {} } = template;
  return Object.hasOwn(complete, argument.name) ? complete[argument.name] : undefined;
}

function unknown(what: string, name: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, `There is no ${what} "${name.slice(0, 100)}" to complete.`);
}

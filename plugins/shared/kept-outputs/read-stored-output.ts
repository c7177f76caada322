import type { Kernel, ReadContext, ResourceTemplate } from '../../../kernel/index.ts';

/** URI template of stored outputs, which the plugin output-budget keeps for a limited time. `page`: a number from 1, or `whole`. */
export const storedOutputTemplate = 'output://{callId}/{page}';

/**
 * Reads a complete stored output as text, secrets masked: text as it is, else JSON. Undefined when the id is unknown, expired or another
 * caller's, and when no plugin stores outputs.
 * @example const text = await readStoredOutput(api.kernel, callId, { caller, signal, logger, client });
 */
export async function readStoredOutput(
  { registry }: Pick<Kernel, 'registry'>,
  callId: string,
  context: ReadContext,
): Promise<string | undefined> {
  const template: ResourceTemplate | undefined = registry.resourceTemplates.get(storedOutputTemplate);
  const read = await template?.read(`output://${callId}/whole`, { callId, page: 'whole' }, context);
  const [content] = read === undefined ? [] : [read].flat();
  return content !== undefined && 'text' in content ? content.text : undefined;
}

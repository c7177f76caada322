import type { Kernel, ReadContext, ResourceTemplate } from '../../../kernel/index.ts';

/** The resources of long outputs, which the plugin output-budget keeps for a while. `page`: a number from 1, or `whole`. */
export const keptOutputTemplate = 'output://{callId}/{page}';

/**
 * Reads the whole of a long output that was kept, secrets masked, as text: JSON where the tool gave a value, the text itself where it gave one.
 * Undefined for an id that is unknown, over its time or another caller's, and where no plugin keeps outputs.
 * @example const text = await wholeOutput(api.kernel, callId, { caller, signal, logger, client });
 */
export async function wholeOutput(
  { registry }: Pick<Kernel, 'registry'>,
  callId: string,
  context: ReadContext,
): Promise<string | undefined> {
  const template: ResourceTemplate | undefined = registry.resourceTemplates.get(keptOutputTemplate);
  const read = await template?.read(`output://${callId}/whole`, { callId, page: 'whole' }, context);
  const [content] = read === undefined ? [] : [read].flat();
  return content !== undefined && 'text' in content ? content.text : undefined;
}

import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

/** What a tool does to the world: from its risk, what its execution says, and its gate; what the definition writes comes first. */
export function annotationsOf(definition: ToolDefinition, risk: Risk, own: ToolAnnotations): ToolAnnotations {
  const { requires_approval: gate, annotations } = definition;
  const readOnlyHint = risk === 'low' && own.readOnlyHint !== false;
  const destructiveHint = !readOnlyHint && (risk === 'high' || gate === true || own.destructiveHint === true);
  return { ...own, readOnlyHint, destructiveHint, ...annotations };
}

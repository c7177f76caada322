import type { Reporter } from './reporter.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from './tool-definition.ts';

/**
 * Returns the effects of a tool on the world: from its risk, what its execution says, and its gate; what the definition writes comes first. A tool that only
 * reads destroys nothing: of the two hints, what is written decides the one that is not, and both as `true` are an error.
 */
export function annotationsOf(definition: ToolDefinition, risk: Risk, own: ToolAnnotations, report: Reporter): ToolAnnotations {
  const { requires_approval: gate, annotations: written = {} } = definition;
  if (written.readOnlyHint === true && written.destructiveHint === true) report.error('/annotations', contradiction);
  const readOnlyHint = written.readOnlyHint ?? (risk === 'low' && own.readOnlyHint !== false && written.destructiveHint !== true);
  const destructiveHint = !readOnlyHint && (written.destructiveHint ?? (risk === 'high' || gate === true || own.destructiveHint === true));
  return { ...own, ...written, readOnlyHint, destructiveHint };
}

const contradiction =
  'says readOnlyHint: true and destructiveHint: true: expected at most one of them, because what only reads destroys nothing. Remove the wrong one';

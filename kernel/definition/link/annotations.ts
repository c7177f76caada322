import type { Reporter } from '../check/reporter.ts';
import type { Risk, ToolAnnotations, ToolDefinition } from '../schema/tool-definition.ts';

/**
 * Returns a tool's annotations, from its risk, its execution and its gate. The definition's own ones take precedence. A read-only tool is never
 * destructive: one declared hint decides the other, and declaring both as `true` is an error.
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

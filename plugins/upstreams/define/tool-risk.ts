import { isPlainObject, type JsonObject, type ToolAnnotations } from '../../../kernel/index.ts';
import type { ServerSettings } from '../settings.ts';

export interface ToolRisk {
  readonly annotations: ToolAnnotations;
  readonly risk: 'low' | 'medium' | 'high';
  readonly requires_approval?: true;
}

type Override = NonNullable<NonNullable<ServerSettings['tools']>['overrides']>[string];

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * Returns the hints, the risk and the gate of a tool. Hints of a server that is not trusted only make a tool riskier. A tool counts as read-only
 * when the operator says so, has accepted it as such (`isAcceptedReadOnly`), or trusts the server that does.
 */
export function toolRisk(
  tool: JsonObject,
  settings: Pick<ServerSettings, 'trustAnnotations' | 'gate'>,
  override: Override = {},
  isAcceptedReadOnly = false,
): ToolRisk {
  const given = isPlainObject(tool['annotations']) ? tool['annotations'] : {};
  const isTrusted = settings.trustAnnotations === true;
  const said = Object.fromEntries(
    hints.flatMap((hint) => (typeof given[hint] === 'boolean' ? [[hint, given[hint]]] : [])),
  ) as ToolAnnotations;
  const claimsReading = said.readOnlyHint === true && said.destructiveHint !== true;
  const readOnlyHint = override.readOnly ?? (isAcceptedReadOnly || (isTrusted && claimsReading));
  const destructiveHint = !readOnlyHint && (isTrusted ? (said.destructiveHint ?? true) : true);
  const trusted = isTrusted
    ? { ...(said.idempotentHint === undefined ? {} : { idempotentHint: said.idempotentHint }), ...openWorld(said) }
    : { ...(said.openWorldHint === true ? { openWorldHint: true } : {}) };
  const risk = override.risk ?? (readOnlyHint ? 'low' : destructiveHint ? 'high' : 'medium');
  const isGated = override.requiresApproval ?? (settings.gate === 'all' || (settings.gate === 'writes' && !readOnlyHint));
  return { annotations: { ...trusted, readOnlyHint, destructiveHint }, risk, ...(isGated ? { requires_approval: true } : {}) };
}

function openWorld({ openWorldHint }: ToolAnnotations): ToolAnnotations {
  return openWorldHint === undefined ? {} : { openWorldHint };
}

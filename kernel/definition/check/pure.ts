import type { CredentialNeed } from '../schema/credentials.ts';
import type { ExecutionType } from '../schema/execution-type.ts';
import type { Parameter } from '../schema/parameter.ts';
import type { ToolAnnotations, ToolDefinition } from '../schema/tool-definition.ts';
import type { Reporter } from './reporter.ts';

interface Facts {
  readonly type: ExecutionType;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly credentials: readonly CredentialNeed[];
  readonly annotations: ToolAnnotations;
}

/** Keys of parameters that bring in other data than the caller's, or reach outside the call. */
const reaching = ['path', 'names_secret', 'default_from', 'auth', 'fixed'] as const;

/** Reports conflicts with `pure`: a result with more than the caller's data must stay masked. */
export function reportPure(
  { pure, secrets = [] }: ToolDefinition,
  { type, parameters, credentials, annotations }: Facts,
  report: Reporter,
): void {
  if (pure !== true) return;
  const refuse = (why: string): void =>
    report.error('/pure', `says that the result is made of the parameters alone, and ${why}. Leave it out`);
  if (type.canBePure !== true) refuse('what is executed reaches programs or the network');
  if (credentials.length > 0 || secrets.length > 0) refuse('the tool uses secrets');
  if (annotations.readOnlyHint !== true || annotations.openWorldHint !== false)
    refuse('the annotations do not say readOnlyHint: true and openWorldHint: false');
  for (const [name, parameter] of Object.entries(parameters)) {
    // A call that gives the path is not treated as a call of a pure tool.
    if (parameter.reads !== undefined) continue;
    const key = reaching.find((one) => parameter[one] !== undefined && parameter[one] !== false);
    if (key !== undefined) refuse(`the parameter "${name}" has "${key}"`);
  }
}

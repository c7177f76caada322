import { type DraftCall, didYouMean, ToolkitError } from '../../kernel/index.ts';

/**
 * Returns the secrets that parameters with `names_secret` name. Throws INVALID_PARAMETERS for a name that the operator did not
 * allow.
 */
export function namedSecrets({ tool, parameters }: DraftCall, allowed: readonly string[]): readonly string[] {
  const requested = Object.entries(tool.parameters).flatMap(([name, { names_secret: isName }]) => {
    const value = isName === true ? parameters[name] : undefined;
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  for (const [name, value] of requested) if (!allowed.includes(value)) throw notAllowedError(tool.name, name, value, allowed);
  return requested.map(([, value]) => value);
}

function notAllowedError(tool: string, name: string, value: string, allowed: readonly string[]): ToolkitError {
  const known = allowed.length === 0 ? 'None is allowed yet' : `Expected one of ${allowed.join(', ')}`;
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "${name}" of "${tool}" names a secret that it may not use.${didYouMean(value, allowed)} ${known}: the operator lists the names in "namedSecrets".`,
    { tool, issues: [{ path: name, message: 'names a secret that is not allowed' }] },
  );
}

import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

/**
 * Returns the value of a secret that the caller named. The kernel has already refused names that the operator did not allow. Throws
 * MISSING_PARAMETER.
 */
export function namedSecret(name: string, { secrets }: FunctionContext): string {
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (value !== undefined) return value;
  throw new ToolkitError(
    'MISSING_PARAMETER',
    `Missing required parameter: ${name}. Add this secret to the environment or a secret store.`,
    {
      parameter: name,
    },
  );
}

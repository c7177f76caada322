import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

/** The value of a secret that the caller named. Names that the operator did not allow never come this far. Throws MISSING_PARAMETER. */
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

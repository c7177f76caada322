import { ToolkitError } from '../../../kernel/index.ts';

/** Builds INVALID_PARAMETERS for one parameter. `message` says what was expected and received; `advice` is whole sentences. */
export function invalidParameter(parameter: string, message: string, advice = ''): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.${advice === '' ? '' : ` ${advice}`}`, {
    issues: [{ path: parameter, message }],
  });
}

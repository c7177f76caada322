import { ToolkitError } from '../../../kernel/index.ts';

/** An INVALID_PARAMETERS error about one parameter. `message`: what was expected and received; `advice`: whole sentences. */
export function wrongParameter(parameter: string, message: string, advice = ''): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.${advice === '' ? '' : ` ${advice}`}`, {
    issues: [{ path: parameter, message }],
  });
}

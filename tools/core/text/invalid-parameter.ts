import { type ErrorDetails, ToolkitError } from '../../../kernel/index.ts';

/** Builds INVALID_PARAMETERS for one parameter. `message` says what was expected and received, and what to do. */
export function invalidParameter(parameter: string, message: string, details: ErrorDetails = {}): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.`, {
    issues: [{ path: parameter, message }],
    ...details,
  });
}

import { type ErrorDetails, ToolkitError } from '../../../kernel/index.ts';

/** The store cannot be asked at the moment. Values that were read before may serve, and the call may be repeated. */
export function outage(message: string, details: ErrorDetails = {}, cause?: unknown): ToolkitError {
  return failure(message, { ...details, retryable: true }, cause);
}

/** The store, or the configuration, says no: repeating does not help, and older values must not serve. */
export function refusal(message: string, details: ErrorDetails = {}, cause?: unknown): ToolkitError {
  return failure(message, { ...details, retryable: false }, cause);
}

export function isOutage(error: unknown): error is ToolkitError {
  return ToolkitError.is(error) && error.code === 'SECRET_STORE_UNAVAILABLE' && error.retryable;
}

function failure(message: string, details: ErrorDetails, cause: unknown): ToolkitError {
  return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, details, cause === undefined ? undefined : { cause });
}

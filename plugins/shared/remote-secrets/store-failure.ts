import { type ErrorDetails, ToolkitError } from '../../../kernel/index.ts';

/** Creates the error of a store that is unreachable for now. Earlier values may serve, and the call may be retried. */
export function outage(message: string, details: ErrorDetails = {}, cause?: unknown): ToolkitError {
  return failure(message, { ...details, retryable: true }, cause);
}

/** Creates the error of a store or configuration that refuses: a retry does not help, and earlier values must not serve. */
export function refusal(message: string, details: ErrorDetails = {}, cause?: unknown): ToolkitError {
  return failure(message, { ...details, retryable: false }, cause);
}

export function isOutage(error: unknown): error is ToolkitError {
  return ToolkitError.is(error) && error.code === 'SECRET_STORE_UNAVAILABLE' && error.retryable;
}

function failure(message: string, details: ErrorDetails, cause: unknown): ToolkitError {
  return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, details, cause === undefined ? undefined : { cause });
}

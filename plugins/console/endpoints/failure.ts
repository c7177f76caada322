import { type HttpRouteResponse, type Kernel, type Logger, ToolkitError } from '../../../kernel/index.ts';
import { errorAnswer } from './json-answer.ts';

export interface FailureServices {
  readonly kernel: Pick<Kernel, 'mask'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Returns the response to a request that failed. Another error than a ToolkitError is logged, and its message is not shown. */
export function failureAnswer(error: unknown, path: string, { kernel, logger }: FailureServices): HttpRouteResponse {
  if (!ToolkitError.is(error)) {
    logger.error(`the console failed at ${path}`, { error });
    return errorAnswer(500, 'INTERNAL', 'The server failed. Its log has the reason.');
  }
  const status = statusOf(error);
  if (status === 500) logger.error(`the console failed at ${path}`, { error });
  return errorAnswer(status, error.code, kernel.mask(error.message));
}

function statusOf({ code, retryable }: ToolkitError): number {
  if (code === 'NOT_FOUND' || code === 'TOOL_NOT_FOUND') return 404;
  if (code.startsWith('APPROVAL_')) return 409;
  if (code.startsWith('INVALID_')) return 400;
  return retryable ? 503 : 500;
}

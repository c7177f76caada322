import type { CheckServices, Decider, Kernel, Logger, MaybePromise } from '../../../kernel/index.ts';
import type { CallsLog } from '../feed/calls.ts';

/** The services for the endpoints. */
export interface ConsoleServices {
  readonly kernel: Kernel;
  readonly logger: Logger;
  readonly now: () => number;
  /** The calls of this process. @default none are known */
  readonly calls?: CallsLog;
  /** The services for the checks of plugins. @default the working directory and the environment of this process, and no store */
  readonly checks?: Pick<CheckServices, 'cwd' | 'env' | 'state'>;
}

/** A request of a signed-in person, after the session and the CSRF token were checked. */
export interface EndpointRequest {
  /** The person: way `console`. */
  readonly by: Decider;
  /** Values of the path, such as `id`, decoded. */
  readonly values: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; undefined for a GET. */
  readonly body: unknown;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * One path of the console's API. `answer` returns JSON for a 200. A thrown ToolkitError becomes `{ error: { code, message } }` with its status:
 * 404 for NOT_FOUND and TOOL_NOT_FOUND, 409 for APPROVAL_*, 400 for INVALID_*, 503 for what can be retried, else 500.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** The path below `/console/api/`, with values in braces: `approvals/{id}/decide`. */
  readonly path: string;
  answer(request: EndpointRequest, services: ConsoleServices): MaybePromise<unknown>;
}

/**
 * The table of error codes. `retryable`: true when the same call may be repeated; the details of an error may override it.
 * `fault`: usually responsible for the fix. `caller`: another call. `author`: the tool or plugin. `operator`: settings, secrets or programs.
 * `service`: the remote service or program. `nobody`: a rule or a person decided.
 */
export const errorCodes = {
  CONFIG_NOT_FOUND: { retryable: false, fault: 'operator', meaning: 'the configuration file that was named does not exist' },
  CONFIG_INVALID: { retryable: false, fault: 'operator', meaning: 'the configuration does not parse, throws, or has the wrong shape' },
  PLUGIN_INVALID: { retryable: false, fault: 'author', meaning: 'a plugin is malformed, misconfigured, or used against its contract' },
  PLUGIN_FAILED: { retryable: false, fault: 'author', meaning: 'plugin code threw; details name the plugin and the hook' },
  TOOL_INVALID: { retryable: false, fault: 'author', meaning: 'a tool or provider definition is refused' },
  TOOL_DUPLICATE: { retryable: false, fault: 'author', meaning: 'two definitions have the same name' },
  TOOL_NOT_FOUND: { retryable: false, fault: 'caller', meaning: 'no tool of that name is registered or visible to the caller' },
  INVALID_PARAMETERS: { retryable: false, fault: 'caller', meaning: 'the parameters do not match the definition of the tool' },
  MISSING_PARAMETER: { retryable: false, fault: 'operator', meaning: 'a credential was found neither in the call nor in the secret chain' },
  SECRET_STORE_UNAVAILABLE: { retryable: true, fault: 'operator', meaning: 'a secret resolver failed' },
  STATE_UNAVAILABLE: { retryable: true, fault: 'operator', meaning: 'the store of what calls leave behind cannot be reached or is full' },
  POLICY_DENIED: { retryable: false, fault: 'nobody', meaning: 'a policy refuses the call' },
  APPROVAL_REQUIRED: { retryable: false, fault: 'nobody', meaning: 'the call needs the approval of a person and has none' },
  APPROVAL_DENIED: { retryable: false, fault: 'nobody', meaning: 'a person refused the call' },
  EXECUTOR_NOT_FOUND: { retryable: false, fault: 'operator', meaning: 'no plugin executes this execution.type' },
  EXECUTION_FAILED: { retryable: false, fault: 'service', meaning: 'the tool ran and failed' },
  OUTCOME_UNKNOWN: {
    retryable: false,
    fault: 'nobody',
    meaning: 'what ran the call has died, and whether it had its effect cannot be known',
  },
  AUTH_REQUIRED: {
    retryable: false,
    fault: 'caller',
    meaning: 'the call needs an account at a provider that its caller has not connected',
  },
  AUTH_FAILED: { retryable: false, fault: 'operator', meaning: 'HTTP 401: the credential is invalid or expired' },
  INSUFFICIENT_SCOPE: { retryable: false, fault: 'operator', meaning: 'HTTP 403: the credential lacks a right' },
  BAD_REQUEST: { retryable: false, fault: 'caller', meaning: 'HTTP 400 or another 4xx: the service refused the request' },
  NOT_FOUND: { retryable: false, fault: 'caller', meaning: 'HTTP 404 or 410: the thing does not exist or is hidden' },
  RATE_LIMITED: { retryable: true, fault: 'caller', meaning: 'HTTP 429: too many requests; see retryAfterMs' },
  UPSTREAM_UNAVAILABLE: { retryable: true, fault: 'service', meaning: 'HTTP 5xx or no connection' },
  OUTBOUND_BLOCKED: { retryable: false, fault: 'caller', meaning: 'the outbound guard refuses the address' },
  TIMEOUT: { retryable: true, fault: 'service', meaning: 'a time limit ended the work' },
  ABORTED: { retryable: false, fault: 'caller', meaning: 'the caller cancelled, or the kernel is closing' },
  OUTPUT_INVALID: { retryable: false, fault: 'author', meaning: 'the output does not match output_schema or is not JSON' },
  OUTPUT_TOO_LARGE: { retryable: false, fault: 'caller', meaning: 'the output is over the size limit' },
  DEPENDENCY_MISSING: { retryable: false, fault: 'operator', meaning: 'an optional package or program is not installed' },
} as const satisfies Record<string, { retryable: boolean; fault: Fault; meaning: string }>;

type Fault = 'caller' | 'author' | 'operator' | 'service' | 'nobody';

export type ErrorCode = keyof typeof errorCodes;

/** An issue in a value: its path, such as `items[0].name` (empty for the whole value), and a message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The path as a JSON pointer (RFC 6901), for finding the line in a file. */
  readonly pointer?: string;
  /** A `warning` does not prevent use. @default 'error' */
  readonly severity?: 'error' | 'warning';
  /** The similar known keys, when the schema does not know this key. */
  readonly resembles?: readonly string[];
}

export interface ErrorDetails {
  readonly tool?: string;
  readonly plugin?: string;
  readonly hook?: string;
  /** HTTP status of the provider's answer. */
  readonly status?: number;
  /** Overrides `retryable` of the code. */
  readonly retryable?: boolean;
  /** Delay before a retry in milliseconds, from Retry-After (RFC 9110, 10.2.3). */
  readonly retryAfterMs?: number;
  readonly issues?: readonly Issue[];
  readonly file?: string;
  /** The abilities that the client of the call lacks: names of members of `CallClient`. */
  readonly clientLacks?: readonly ('elicit' | 'elicitUrl' | 'sample' | 'roots' | 'later')[];
  /** The result that reports the failure, from a service that has such results: `content`, `structuredContent` and `_meta` as in MCP. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The provider at which the call needs an account, by name (AUTH_REQUIRED). */
  readonly provider?: string;
  /** The name of that account, when the caller has chosen one. */
  readonly account?: string;
  /** The address at which the person connects the account. */
  readonly url?: string;
  /** The command by which the person connects the account. */
  readonly command?: string;
  /** Id of the approval record of a call that needs a person (APPROVAL_REQUIRED). */
  readonly approval?: string;
  /** True when the call ended against the will of its caller, such as by a broken connection (ABORTED). */
  readonly isLost?: boolean;
  readonly [key: string]: unknown;
}

const brand = Symbol.for('toolkit.error');

/** The only error class: a code from the table, a message with the next step, and details. */
export class ToolkitError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ToolkitError';
    this.code = code;
    this.details = details;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns true for an error of any copy of this package; `instanceof` fails across copies. */
  static is(value: unknown): value is ToolkitError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }

  get retryable(): boolean {
    return this.details.retryable ?? errorCodes[this.code].retryable;
  }

  /** Returns the same error with more details. Existing details take precedence. */
  with(details: ErrorDetails): ToolkitError {
    const copy = new ToolkitError(this.code, this.message, { ...details, ...this.details }, { cause: this.cause });
    if (this.stack !== undefined) copy.stack = this.stack;
    return copy;
  }

  /** Returns `{code, message, retryable, ...details}`, without stack and cause. */
  toJSON(): Record<string, unknown> {
    return { code: this.code, message: this.message, retryable: this.retryable, ...this.details };
  }
}

/** Returns at most `limit` characters of foreign text, on one line. */
export function excerpt(text: string, limit = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** Returns the text, with a full stop unless it already ends a sentence. */
export function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** Returns the full message of any thrown value. Mask it before you take an excerpt. */
export function messageOf(error: unknown): string {
  return error instanceof Error || ToolkitError.is(error) ? error.message : String(error);
}

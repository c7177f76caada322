/**
 * The table of error codes. `retryable` is the default answer to "may the same call simply be repeated?";
 * an error may override it in its details. `fault`: as a rule, who can mend it: the `caller` with another call, the `author` of the tool
 * or plugin, the `operator` with settings, secrets or programs, the `service`: what the tool asked or ran; `nobody`: a rule or a person decided.
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
  APPROVAL_REQUIRED: { retryable: false, fault: 'nobody', meaning: 'a person must approve the call and nobody was asked or answered' },
  APPROVAL_DENIED: { retryable: false, fault: 'nobody', meaning: 'a person refused the call' },
  EXECUTOR_NOT_FOUND: { retryable: false, fault: 'operator', meaning: 'no plugin executes this execution.type' },
  EXECUTION_FAILED: { retryable: false, fault: 'service', meaning: 'the tool ran and failed' },
  OUTCOME_UNKNOWN: {
    retryable: false,
    fault: 'nobody',
    meaning: 'what ran the call has died, and whether it had its effect cannot be known',
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

/** One finding inside a value: where (a path such as `items[0].name`; empty for the whole) and what. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The same place as a JSON pointer (RFC 6901), for finding its line in a file. */
  readonly pointer?: string;
  /** A warning leaves the thing in use. @default 'error' */
  readonly severity?: 'error' | 'warning';
  /** Set on a key that the schema does not know: the known keys it resembles. */
  readonly resembles?: readonly string[];
}

export interface ErrorDetails {
  readonly tool?: string;
  readonly plugin?: string;
  readonly hook?: string;
  /** HTTP status of the provider's answer. */
  readonly status?: number;
  /** Overrides the default of the code. */
  readonly retryable?: boolean;
  /** Milliseconds to wait before repeating, from Retry-After (RFC 9110, 10.2.3). */
  readonly retryAfterMs?: number;
  readonly issues?: readonly Issue[];
  readonly file?: string;
  /** What the client of the call would have to be capable of: names of members of `CallClient`. */
  readonly clientLacks?: readonly ('elicit' | 'sample' | 'roots' | 'later')[];
  readonly [key: string]: unknown;
}

const brand = Symbol.for('toolkit.error');

/** The one error class. A code from the table, a message that says what to do next, and details. */
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

  /** Works across copies of this package, which `instanceof` does not. */
  static is(value: unknown): value is ToolkitError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }

  get retryable(): boolean {
    return this.details.retryable ?? errorCodes[this.code].retryable;
  }

  /** The same error with more details; details that are already there win. */
  with(details: ErrorDetails): ToolkitError {
    const copy = new ToolkitError(this.code, this.message, { ...details, ...this.details }, { cause: this.cause });
    if (this.stack !== undefined) copy.stack = this.stack;
    return copy;
  }

  /** `{code, message, retryable, ...details}`, without stack and cause. */
  toJSON(): Record<string, unknown> {
    return { code: this.code, message: this.message, retryable: this.retryable, ...this.details };
  }
}

/** At most `limit` characters of text that comes from outside, on one line. */
export function excerpt(text: string, limit = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** The text with a full stop, unless it ends a sentence already. */
export function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** The message of anything that was thrown, as long as it is: mask it, then take an excerpt. */
export function messageOf(error: unknown): string {
  return error instanceof Error || ToolkitError.is(error) ? error.message : String(error);
}

/** The error codes of toolkit that this package uses. */
export type FailureCode =
  | 'AUTH_FAILED'
  | 'BAD_REQUEST'
  | 'CONFIG_INVALID'
  | 'EXECUTION_FAILED'
  | 'INSUFFICIENT_SCOPE'
  | 'NOT_FOUND'
  | 'OUTPUT_TOO_LARGE'
  | 'TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE';

/** The part of a function's context that this package uses. Declared here because the package stands alone. */
export interface ToolContext {
  /** Aborts when the caller cancels and when the kernel closes. */
  readonly signal: AbortSignal;
  readonly secrets: Readonly<Record<string, string>>;
  readonly logger: { warn(message: string, meta?: Readonly<Record<string, unknown>>): void };
  /** Builds an error of toolkit, to be thrown. */
  error(code: FailureCode, message: string, details?: Readonly<Record<string, unknown>>): Error;
  /** Registers a function that runs when the kernel closes. A function given several times runs once. */
  onClose(close: () => unknown): void;
  /** Runs `live`, or in a test returns its recording: an answer as JSON, or an error. */
  exchange<Answer>(kind: string, request: unknown, live: () => Promise<Answer>): Promise<Answer>;
}

/** The parameters of postgres_execute_sql, with defaults applied. */
export interface SqlCall {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly read_only: boolean;
  readonly max_rows: number;
  readonly timeout_ms: number;
}

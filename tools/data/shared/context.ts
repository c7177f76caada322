/** The error codes of toolkit that this package uses. */
export type FailureCode = 'BAD_REQUEST' | 'EXECUTION_FAILED' | 'INVALID_PARAMETERS' | 'NOT_FOUND' | 'OUTPUT_TOO_LARGE';

/** The files that tools leave alone. */
export interface ControlFiles {
  /** Returns the rule that holds an absolute path, undefined where tools may have it. */
  find(file: string, access: 'read' | 'write'): unknown;
}

/** The members of toolkit's function context that this package uses. Written here because the package stands alone. */
export interface ToolContext {
  /** Makes an error of toolkit, to be thrown. */
  error(code: FailureCode, message: string, details?: Readonly<Record<string, unknown>>): Error;
  readonly controlFiles: ControlFiles;
  /** Characters of JSON that the result may have, where a model asked. */
  readonly output?: { readonly budget?: number | undefined } | undefined;
}

/** The same where a function runs in the server. */
export interface ChildContext extends ToolContext {
  /** Runs a function of another module in a child process, with JSON as its parameters. */
  inChild(code: string, data: Readonly<Record<string, unknown>>): Promise<unknown>;
}

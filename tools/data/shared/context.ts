/** Error codes of toolkit that this package uses. */
export type FailureCode = 'BAD_REQUEST' | 'EXECUTION_FAILED' | 'INVALID_PARAMETERS' | 'NOT_FOUND' | 'OUTPUT_TOO_LARGE';

/** Files that tools must not touch. */
export interface ControlFiles {
  /** Returns the rule that blocks an absolute path; undefined for an allowed one. */
  find(file: string, access: 'read' | 'write'): unknown;
}

/** Used members of toolkit's function context. Declared here because the package has no dependency on toolkit. */
export interface ToolContext {
  /** Creates an error of toolkit; the caller throws it. */
  error(code: FailureCode, message: string, details?: Readonly<Record<string, unknown>>): Error;
  readonly controlFiles: ControlFiles;
  /** Maximum length of the result in characters of JSON, for a call by a model. */
  readonly output?: { readonly budget?: number | undefined } | undefined;
}

/** Context of a function that runs in the server. */
export interface ChildContext extends ToolContext {
  /** Runs a function of another module in a child process, with JSON parameters. */
  inChild(code: string, data: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A problem, with the lines of a diff when it is a difference. */
export interface Finding {
  readonly message: string;
  readonly lines?: readonly string[];
}

export interface ExampleResult {
  /** Description of the example in the definition or the cassette. */
  readonly example: string;
  /** Empty when the example passed. */
  readonly findings: readonly Finding[];
}

export interface ToolResult {
  readonly tool: string;
  readonly status: 'passed' | 'failed' | 'recorded' | 'missing';
  readonly examples: readonly ExampleResult[];
  /** Findings about the whole tool, such as a cassette that cannot be read. */
  readonly findings: readonly Finding[];
  /** Path of the written cassette. */
  readonly recorded?: string;
}

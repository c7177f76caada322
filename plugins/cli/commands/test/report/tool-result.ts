/** Something that is not as it should be, with the lines of a diff where it is a difference. */
export interface Finding {
  readonly message: string;
  readonly lines?: readonly string[];
}

export interface ExampleResult {
  /** As the definition or the cassette describes it. */
  readonly example: string;
  /** None: it passed. */
  readonly findings: readonly Finding[];
}

export interface ToolResult {
  readonly tool: string;
  readonly status: 'passed' | 'failed' | 'recorded' | 'missing';
  readonly examples: readonly ExampleResult[];
  /** What concerns the whole tool, such as a cassette that cannot be read. */
  readonly findings: readonly Finding[];
  /** The file that was written. */
  readonly recorded?: string;
}

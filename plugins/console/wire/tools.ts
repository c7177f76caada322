/** A tool in the list. */
export interface ToolRow {
  readonly name: string;
  readonly description: string;
  readonly provider?: string;
  readonly risk: string;
  /** True when its definition has a model ask a person for each call. The operator's own calls pass, as on the command line. */
  readonly requiresApproval: boolean;
  /** The file, package or source that it is from. */
  readonly from: string;
}

/** A tool with all that its form needs. */
export interface ToolDetails extends ToolRow {
  /** JSON Schema of its parameters, an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly examples: readonly { readonly parameters: Readonly<Record<string, unknown>>; readonly description?: string }[];
}

/** A call from the form. `model`: with the policy and the limits of a model. `operator`: as a call of the command line. */
export interface FormCall {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly as: 'model' | 'operator';
}

/** The answer of a call from the form. Secrets are masked. */
export interface FormAnswer {
  readonly callId?: string;
  readonly traceId?: string;
  readonly as: FormCall['as'];
  readonly caller: string;
  readonly durationMs: number;
  readonly output?: unknown;
  /** A sentence about what is missing of the output. Absent when nothing is. */
  readonly outputNote?: string;
  /** Absent when the call completed. `approval`: the record that waits. */
  readonly error?: { readonly code: string; readonly message: string; readonly approval?: string };
}

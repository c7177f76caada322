export interface Operations {
  readonly operations: number;
  readonly schemas: number;
  /** Changes each description. */
  readonly edition?: number;
}

export function definitionsOf(source: string, document: Operations): { readonly provider: object; readonly tools: readonly object[] };

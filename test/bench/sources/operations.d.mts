export interface Operations {
  readonly operations: number;
  readonly schemas: number;
  /** Changes each description. */
  readonly edition?: number;
}

export function definitionsOf(source: string, document: Operations): { readonly provider: object; readonly tools: readonly object[] };

/** The OpenAPI document whose operations become those tools. */
export function documentOf(source: string, document: Operations): object;

/** As much of an OpenAPI document as the suite looks at. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, unknown>>;
    readonly parameters?: Readonly<Record<string, RawParameter>>;
  };
}

interface RawContent {
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

export interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: RawContent & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, RawContent>>;
}

export type RawParameter =
  | { readonly $ref: string }
  | {
      readonly name: string;
      readonly in: 'path' | 'query' | 'header';
      readonly required?: boolean;
      readonly schema?: unknown;
      readonly explode?: boolean;
    };

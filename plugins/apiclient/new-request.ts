/** Parameters of a request to add. */
export interface NewRequest {
  readonly request_name: string;
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly tests?: string;
  readonly documentation?: string;
}

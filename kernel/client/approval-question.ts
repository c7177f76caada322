/** A question about a waiting call, for the host. Secrets are masked. */
export interface ApprovalQuestion {
  /** Text for a person: tool, parameters, destination and reason. */
  readonly message: string;
  /** The question as data. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Digest (sha256, hex) to which an approval is bound. It changes with the question and with the identity of the call. */
  readonly digest: string;
  /** Id of the record of the call. Absent where none is kept. */
  readonly record?: string;
}

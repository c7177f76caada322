/** A call that waits for a person, as the host is asked about it. Secrets are masked. */
export interface ApprovalQuestion {
  /** For a person to read: tool, parameters, destination and why it is asked. */
  readonly message: string;
  /** The same as data. */
  readonly request: Readonly<Record<string, unknown>>;
  /** What a yes holds for (sha256, hex): another one as soon as anything that was asked about, or would run, is another. */
  readonly digest: string;
}

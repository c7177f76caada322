/** The name of a durable call: an id, unique for its caller. Two callers may use the same id for different calls. */
export interface CallName {
  readonly caller: string;
  /** The id, 1 to 200 characters. */
  readonly id: string;
}

/** A thing with texts from outside. */
export interface ScannedItem {
  readonly type: 'tool' | 'skill' | 'skill' | 'prompt' | 'resource' | 'instructions' | 'document';
  readonly name: string;
  /** The server, package or document that it comes from. Items of one source may refer to each other. */
  readonly source: string;
  /** Its definition as parsed JSON, or a text. All strings and member names within are scanned. */
  readonly value: unknown;
}

/** Arguments of a call in the words of its document. */
export interface DocumentArguments {
  /** Values by `<place> <name>`, such as `query page_size`. */
  readonly parameters: ReadonlyMap<string, unknown>;
  readonly mediaType: string | undefined;
  /** The value of a JSON body, the members of a form, or a text. */
  readonly body: unknown;
}

/** A request to open an address, to the person who uses the client (MCP, Elicitation, URL mode). The address is never shown to the model. */
export interface UrlRequest {
  /** A name, unique among the questions of the call and the same when the call runs again. */
  readonly name?: string;
  /** The reason, for the person. */
  readonly message: string;
  readonly url: string;
  /** An id that the client gets again when the person is done. */
  readonly elicitationId: string;
  /** A digest to which the answer is bound, like that of a `Question`. @default not bound */
  readonly holdsFor?: string;
}

export interface UrlAnswer {
  /** `accept`: the person agreed to open the address; it does not say that the work there is done. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Notifies the client that the work at the address is done. Does nothing where the client answers in another request. */
  complete(): void;
}

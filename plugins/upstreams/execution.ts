import Type, { type Static } from 'typebox';

/** The `execution` of a tool of a server, beside `type` and `timeout_ms`. */
export const UpstreamExecutionSchema = Type.Object(
  {
    /** The name of the tool on the server. */
    tool: Type.String({ minLength: 1 }),
    /** Digest of the tool as the server sent it, so that each change of it shows. */
    digest: Type.String(),
    /** The hints of a server that is not trusted, for people. */
    claimed_annotations: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
);

export type UpstreamExecution = Static<typeof UpstreamExecutionSchema>;

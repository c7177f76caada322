import Type, { type Static } from 'typebox';

/** A mistyped key would be an expectation that nobody checks. */
const closed = { additionalProperties: false } as const;

const Bytes = Type.Object({ base64: Type.String() }, closed);

/** Kinds of what is taken over as a whole; functions name others in `context.exchange`. */
export const ownKinds: readonly string[] = ['http', 'program', 'addresses'];

/**
 * One question to the world outside and its answer: an HTTP request, a run of a program, a lookup of addresses, what a function names. What the
 * two hold depends on the kind; see the files in `seams/`.
 */
const ExchangeSchema = Type.Object(
  {
    kind: Type.String({ minLength: 1 }),
    request: Type.Unknown(),
    response: Type.Unknown(),
  },
  closed,
);
export type Exchange = Static<typeof ExchangeSchema>;

const ExampleSchema = Type.Object(
  {
    description: Type.Optional(Type.String()),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** In the order in which they were begun. */
    exchanges: Type.Optional(Type.Array(ExchangeSchema)),
    /** The text `*` stands for any value, here and in requests. */
    output: Type.Optional(Type.Unknown()),
    /** In place of the output, where the call fails. */
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
  },
  closed,
);
export type CassetteExample = Static<typeof ExampleSchema>;

/** What lies beside a tool in `<tool>.cassette.json`: calls of it, each with what it asked the world outside, the answers, and what came of it. */
export const CassetteSchema = Type.Object(
  {
    tool: Type.String(),
    /**
     * What the credentials of the tool are in a replay: made up, or as they were where they are open and a replay needs them so. Those that are not here are not there.
     * A made-up one may be changed by hand where its form matters.
     * @default those that are required, made up
     */
    credentials: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** What lies in the folder of each example before it runs, by relative path: the text, or bytes. Tools see no other files. */
    files: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Bytes]))),
    /**
     * False: the tool itself does not run, its output is taken from here and checked against the schema. For what reaches the world by
     * other ways than `context.fetch`, `context.exchange` and a `command`, which cannot be recorded. @default true
     */
    runs: Type.Optional(Type.Boolean()),
    examples: Type.Array(ExampleSchema),
  },
  closed,
);
export type Cassette = Static<typeof CassetteSchema>;

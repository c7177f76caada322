import Type, { type Static } from 'typebox';

/** Refuses unknown keys: a mistyped key would be an expectation that is never checked. */
const noOtherKeys = { additionalProperties: false } as const;

const Bytes = Type.Object({ base64: Type.String() }, noOtherKeys);

/** Kinds recorded automatically. Functions name further kinds in `context.exchange`. */
export const builtInKinds: readonly string[] = ['http', 'program', 'addresses'];

/**
 * One request to the outside world and its response: an HTTP request, a run of a program, a DNS lookup, or a kind that a function names.
 * The format of both depends on the kind; see `seams/`.
 */
const ExchangeSchema = Type.Object(
  {
    kind: Type.String({ minLength: 1 }),
    request: Type.Unknown(),
    response: Type.Unknown(),
  },
  noOtherKeys,
);
export type Exchange = Static<typeof ExchangeSchema>;

const ExampleSchema = Type.Object(
  {
    description: Type.Optional(Type.String()),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** In the order in which they started. */
    exchanges: Type.Optional(Type.Array(ExchangeSchema)),
    /** The text `*` matches any value, here and in requests. */
    output: Type.Optional(Type.Unknown()),
    /** Expected error, in place of the output. */
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }, noOtherKeys)),
  },
  noOtherKeys,
);
export type CassetteExample = Static<typeof ExampleSchema>;

/** Content of `<tool>.cassette.json` next to a tool: calls, each with its recorded requests, responses and result. */
export const CassetteSchema = Type.Object(
  {
    tool: Type.String(),
    /**
     * Credentials for a replay, by name. Values are made up; a value that is not secret is the real one when a replay needs it. Credentials
     * that are not listed are missing in a replay. A made-up value may be edited when its format matters.
     * @default the required ones, made up
     */
    credentials: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Files in the folder of each example before it runs, by relative path: text or bytes. Tools see no other files. */
    files: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Bytes]))),
    /**
     * False: the tool does not run; its recorded output is checked against the schema. For tools that reach the world other than by
     * `context.fetch`, `context.exchange` and a `command`, which cannot be recorded. @default true
     */
    runs: Type.Optional(Type.Boolean()),
    examples: Type.Array(ExampleSchema),
  },
  noOtherKeys,
);
export type Cassette = Static<typeof CassetteSchema>;

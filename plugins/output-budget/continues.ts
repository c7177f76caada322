import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** A member of the output: its name, or a pointer (RFC 6901) to it, in which `*` stands for every item of a list. */
const Member = Type.String({ minLength: 1, maxLength: 200, pattern: '^(/.+|[^/].*)$' });

const cheaper = {
  /** A sentence that names a call which costs less than to read on, such as `fs_search finds the lines that matter`. */
  cheaper: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};

/**
 * The output ends before the whole, and a call that begins elsewhere gives the next part: the tool stops by itself at `context.output.budget`, so that
 * what its members say holds for what a model is shown.
 */
export const OffsetSchema = Type.Object(
  {
    by: Type.Literal('offset'),
    /** The member that is true where something follows. */
    when: Member,
    /** The parameter of the next call. */
    parameter: Type.String({ minLength: 1 }),
    /** The member with its value; absent at the end. */
    from: Member,
    /** Further parameters of the next call, each with the member that has its value; left out where that is absent. */
    with: Type.Optional(Type.Record(Type.String(), Member)),
    /** The tool of the next call, which then gets these parameters alone. @default the same tool, with its parameters as they were */
    tool: Type.Optional(Type.String({ minLength: 1 })),
    ...cheaper,
  },
  closed,
);

/**
 * The call must not be repeated, or its members are those of a service. What of its output has no room is kept, and read by toolkit_get_output, before
 * a cursor of the output is followed.
 */
export const OutputSchema = Type.Object(
  {
    by: Type.Literal('output'),
    /** The member that also becomes true where the budget cuts the output. @default none: a cursor stays as the service gave it */
    when: Type.Optional(Member),
    ...cheaper,
  },
  closed,
);

const One = Type.Union([OffsetSchema, OutputSchema]);

/** The members of the output that say how it goes on. */
export const ContinuesSchema = Type.Union([One, Type.Array(One, { minItems: 1 })]);

export type Continuation = Static<typeof One>;
export type OffsetContinuation = Static<typeof OffsetSchema>;

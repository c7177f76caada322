import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** A member of the output: its name, or a pointer to it (RFC 6901), in which `*` stands for every item of a list. */
const Member = Type.String({ minLength: 1, maxLength: 200, pattern: '^(/.+|[^/].*)$' });

const cheaper = {
  /** A sentence that names a cheaper call than reading on, such as `fs_search finds the lines that matter`. */
  cheaper: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};

/**
 * The output is incomplete, and a call that begins elsewhere returns the next part. The tool stops by itself at
 * `context.output.budget`, so that its members are true for the output that a model is shown.
 */
export const OffsetSchema = Type.Object(
  {
    by: Type.Literal('offset'),
    /** The member that is true where more follows. */
    when: Member,
    /** The parameter of the next call. */
    parameter: Type.String({ minLength: 1 }),
    /** The member with the value of that parameter; absent at the end. */
    from: Member,
    /** Further parameters of the next call, each with the member that has its value; left out where that is absent. */
    with: Type.Optional(Type.Record(Type.String(), Member)),
    /** The tool of the next call, which then gets only these parameters. @default the same tool, with its parameters as they were */
    tool: Type.Optional(Type.String({ minLength: 1 })),
    ...cheaper,
  },
  closed,
);

/**
 * The call must not be repeated, or its members come from a service. The part of its output that does not fit is stored. It is
 * read with toolkit_get_output before a cursor of the output is followed.
 */
export const OutputSchema = Type.Object(
  {
    by: Type.Literal('output'),
    /** The member that also becomes true where the budget cuts the output. @default none: a cursor stays as the service returned it */
    when: Type.Optional(Member),
    ...cheaper,
  },
  closed,
);

const One = Type.Union([OffsetSchema, OutputSchema]);

/** The members of the output that say how it continues. */
export const ContinuesSchema = Type.Union([One, Type.Array(One, { minItems: 1 })]);

export type Continuation = Static<typeof One>;
export type OffsetContinuation = Static<typeof OffsetSchema>;

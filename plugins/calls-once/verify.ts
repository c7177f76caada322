import Type, { type Static } from 'typebox';

const expression = (): Type.TString => Type.String({ minLength: 1, maxLength: 2000 });

/**
 * How to find out whether a call has had its effect: a call of a tool that only reads, and CEL expressions on its answer. They know `output`, the
 * answer; `parameters`, those of the call; `found`; and `during(moment, attempt)`: whether a moment lies in the time in which the attempt may have had
 * its effect, two seconds for clocks that differ included. A moment is a text as in RFC 3339 or RFC 2822, or a number of seconds since 1970; null is none.
 */
export const VerifySchema = Type.Object(
  {
    /** A tool that only reads, such as the one that lists what this one makes. A package names one of its own, of the same provider. */
    tool: Type.String({ minLength: 1 }),
    /**
     * Its parameters. `{name}` stands for a parameter of the call, `{name.member}` for a member of one that is an object, `{begun_at}` for when the
     * attempt began, as in RFC 3339, in UTC and whole seconds. What was not given is left out.
     */
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * A list of what the attempt may have made: none means that it has had no effect, one is what it has made, and of several nobody knows. So it is
     * none where the tool says NOT_FOUND, unless there is a `when`. @default `[output]`: it is enough that the tool finds something
     */
    found: Type.Optional(expression()),
    /** Whether that is certain; where it is false, or the tool says NOT_FOUND, it stays unknown whether the call has had its effect. @default true */
    when: Type.Optional(expression()),
    /** What the caller gets where the call has had its effect, as `output_schema` has it. @default `found[0]` */
    result: Type.Optional(expression()),
    /** How long after the end of an attempt, in milliseconds, the service may still do what it was asked, or the tool may not find it yet. @default 10000 */
    after_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Verify = Static<typeof VerifySchema>;

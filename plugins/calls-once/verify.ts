import Type, { type Static } from 'typebox';

const expression = (): Type.TString => Type.String({ minLength: 1, maxLength: 2000 });

/**
 * Describes how to verify the effect of a call: a read-only tool to call, and CEL expressions over its answer. Their variables are `output` (the
 * answer), `parameters` (those of the call), `found`, and `attempt`. `during(moment, attempt)` is true when a moment lies in the time in which the
 * attempt may have had its effect, widened by two seconds. An object that is found only in the time widened by two minutes leaves the effect
 * unknown, because clocks may differ. A moment is a text as in RFC 3339 or RFC 2822, or a number of seconds since 1970; null is never in the time.
 */
export const VerifySchema = Type.Object(
  {
    /** A read-only tool, such as one that lists the objects that this tool creates. A package uses one of its own, of the same provider. */
    tool: Type.String({ minLength: 1 }),
    /**
     * Parameters for that tool. `{name}` is a parameter of the call, `{name.member}` a member of an object parameter, `{begun_at}` a time two
     * minutes before the start of the attempt (RFC 3339, UTC, whole seconds). Parameters without a value are left out.
     */
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * Expression for the list of objects that the attempt may have created. Empty: the call had no effect. One: the object it created. Several:
     * the effect stays unknown. NOT_FOUND from the tool counts as an empty list, unless there is a `when`.
     * @default `[output]`: the effect is proven when the tool finds something
     */
    found: Type.Optional(expression()),
    /** Expression that is true when `found` is reliable. When it is false, or with a `when` the tool says NOT_FOUND, the effect stays unknown. @default true */
    when: Type.Optional(expression()),
    /** Expression for the result that the caller gets when the call had its effect, in the form of `output_schema`. @default `found[0]` */
    result: Type.Optional(expression()),
    /** Time after the end of an attempt, in milliseconds, in which the service may still do the work, or the tool may not see it yet. @default 10000 */
    after_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Verify = Static<typeof VerifySchema>;

import Type, { type Static, type TSchema } from 'typebox';
import { RiskSchema } from '../../kernel/index.ts';

const closed = { additionalProperties: false } as const;

/** Least strict first. */
export const effects = ['allow', 'ask', 'deny'] as const;
const EffectSchema = Type.Enum([...effects]);

const oneOrMore = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Array(schema, { minItems: 1 })]);

/** `*` stands for any characters. */
const Names = oneOrMore(Type.String({ minLength: 1 }));

/** Every key that is given must match; a list matches when one of its entries does. */
const MatchSchema = Type.Object(
  {
    tool: Type.Optional(Names),
    /** Never matches a tool without a provider. */
    provider: Type.Optional(Names),
    /** Matches when one tag of the tool does. */
    tag: Type.Optional(Names),
    risk: Type.Optional(oneOrMore(RiskSchema)),
    caller: Type.Optional(Names),
    origin: Type.Optional(oneOrMore(Type.Enum(['host', 'model']))),
    /** The `method` of the execution, whatever the case. Never matches a tool that has none. */
    method: Type.Optional(oneOrMore(Type.String({ pattern: '^[A-Za-z*]+$' }))),
    /**
     * The host in the `url` of the execution, without port: where the request goes first, before any redirect. A tool without a `url`
     * never matches, whatever its code or command reaches. Where the host comes out of a placeholder it is unknown: `*` matches it,
     * and an entry that names hosts counts as matched in a rule that asks or denies, and as not matched in one that allows.
     */
    host: Type.Optional(oneOrMore(Type.String({ pattern: '^([A-Za-z0-9.*_-]+|\\[[0-9A-Fa-f:.*]+\\])$' }))),
  },
  closed,
);

export const RuleSchema = Type.Object(
  {
    /** Shown in reasons and logs. @default the place of the rule */
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    /** @default every call */
    match: Type.Optional(MatchSchema),
    /**
     * A condition in CEL, over `params`, `tool`, `provider`, `risk`, `caller`, `origin`, `tags`, `method` and `host`. Numbers in `params`
     * are doubles; an integer beyond 2^53 is an int where the parameter takes numbers, else the text of its digits. Where it cannot be evaluated, a rule that asks or denies counts as matched and one that allows does not.
     */
    when: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    /** `allow` ends the search; it does not open what other plugins hold. */
    effect: EffectSchema,
    /** For the person who decides, and for the caller who is refused. */
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** The rule only reports in the log what it would do; the search goes on. @default false */
    shadow: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** What happens to a call that no rule matches, by the risk of its tool. Each is `allow` unless given. */
export const DefaultSchema = Type.Object(
  { low: Type.Optional(EffectSchema), medium: Type.Optional(EffectSchema), high: Type.Optional(EffectSchema) },
  closed,
);

/** A policy as it is written. The first rule that matches decides. */
export const PolicySchema = Type.Object(
  { default: Type.Optional(DefaultSchema), rules: Type.Optional(Type.Array(RuleSchema, { maxItems: 10_000 })) },
  closed,
);

export type RuleDefinition = Static<typeof RuleSchema>;
export type PolicyDefinition = Static<typeof PolicySchema>;

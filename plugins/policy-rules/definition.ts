import Type, { type Static, type TSchema } from 'typebox';
import { RiskSchema } from '../../kernel/index.ts';

const closed = { additionalProperties: false } as const;

/** Effects, from the least to the most strict. */
export const effects = ['allow', 'ask', 'deny'] as const;
const EffectSchema = Type.Enum([...effects]);

const oneOrMore = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Array(schema, { minItems: 1 })]);

/** One name or several; `*` matches any characters. */
const Names = oneOrMore(Type.String({ minLength: 1 }));

/** Conditions on a call. All given keys must match; a list matches when one of its entries does. */
const MatchSchema = Type.Object(
  {
    tool: Type.Optional(Names),
    /** Never matches a tool without a provider. */
    provider: Type.Optional(Names),
    /** Matches when any tag of the tool does. */
    tag: Type.Optional(Names),
    risk: Type.Optional(oneOrMore(RiskSchema)),
    caller: Type.Optional(Names),
    origin: Type.Optional(oneOrMore(Type.Enum(['host', 'model']))),
    /** The `method` of the execution, case-insensitive. Never matches a tool without one. */
    method: Type.Optional(oneOrMore(Type.String({ pattern: '^[A-Za-z*]+$' }))),
    /**
     * The host in the `url` of the execution, without port: the first destination, before redirects. A tool without `url` never matches, whatever hosts
     * its code or command reaches. A host from a placeholder is unknown: `*` matches it, and any other entry matches it in a rule that asks or denies,
     * but not in one that allows.
     */
    host: Type.Optional(oneOrMore(Type.String({ pattern: '^([A-Za-z0-9.*_-]+|\\[[0-9A-Fa-f:.*]+\\])$' }))),
  },
  closed,
);

export const RuleSchema = Type.Object(
  {
    /** Name of the rule in reasons and logs. @default its position in the list */
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    /** The calls that the rule is about. @default every call */
    match: Type.Optional(MatchSchema),
    /**
     * A CEL condition over `params`, `tool`, `provider`, `risk`, `caller`, `origin`, `tags`, `method` and `host`. Numbers in `params` are doubles; an
     * integer beyond 2^53 is an int where the parameter takes numbers, else the text of its digits. When the condition cannot be evaluated, a rule that
     * asks or denies matches, and one that allows does not.
     */
    when: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    /** The effect on a matching call. `allow` ends the search; it does not lift what other plugins demand. */
    effect: EffectSchema,
    /**
     * Number of different names that must approve the call, never the requester's. Only with the effect `ask`; needs the plugin `approvals`, and a
     * configuration that has as many names. Where `approvers` of `approvals` is larger, that one counts. @default 1
     */
    approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    /** Reason shown to the person who decides, and to the caller of a refused call. */
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Logs what the rule would do, and goes on with the next rule. @default false */
    shadow: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** Effects on calls that no rule matches, by the risk of the tool. @default allow for each */
export const DefaultSchema = Type.Object(
  { low: Type.Optional(EffectSchema), medium: Type.Optional(EffectSchema), high: Type.Optional(EffectSchema) },
  closed,
);

/** A policy file. The first matching rule decides. */
export const PolicySchema = Type.Object(
  { default: Type.Optional(DefaultSchema), rules: Type.Optional(Type.Array(RuleSchema, { maxItems: 10_000 })) },
  closed,
);

export type RuleDefinition = Static<typeof RuleSchema>;
export type PolicyDefinition = Static<typeof PolicySchema>;

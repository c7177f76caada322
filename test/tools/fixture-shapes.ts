import Type, { type Static } from 'typebox';
import { type ErrorCode, errorCodes } from '../../kernel/index.ts';

/** A mistyped key would be an expectation that nobody checks. */
const closed = { additionalProperties: false } as const;

const Texts = Type.Record(Type.String(), Type.String());
const Values = Type.Record(Type.String(), Type.Unknown());
const oneOrMore = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Array(schema, { minItems: 1 })]);

/** `provider.yaml`: what is the same in every request of a provider. */
export const ProviderSchema = Type.Object(
  {
    /** Variables of the environment. */
    env: Texts,
    /** The path of the base URL. @default '' */
    base_path: Type.Optional(Type.String()),
    /** Sent with every request; names in lower case. */
    headers: Texts,
  },
  closed,
);
export type ProviderFixture = Static<typeof ProviderSchema>;

const SentSchema = Type.Object(
  {
    method: Type.String(),
    /** Path and query below the base path, as they go over the wire. */
    path: Type.String(),
    /** Beyond those of the provider. */
    headers: Type.Optional(Texts),
    /** JSON where the content type says so (the text `*` stands for any text), else the exact text. Absent: an empty body. */
    body: Type.Optional(Type.Unknown()),
  },
  closed,
);
export type Sent = Static<typeof SentSchema>;

const AnswerSchema = Type.Object(
  {
    /** @default 200 */
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    headers: Type.Optional(Texts),
    /** JSON, or a text that is sent as it is. Absent: an empty body. */
    body: Type.Optional(Type.Unknown()),
  },
  closed,
);
export type Answer = Static<typeof AnswerSchema>;

/** `<tool>.yaml`: for each example of the tool the requests that it makes, what the service answers, and what comes out. */
export const ExamplesSchema = Type.Array(
  Type.Object(
    {
      example: Type.String(),
      sent: oneOrMore(SentSchema),
      answer: oneOrMore(AnswerSchema),
      /** @default the body of the last answer */
      output: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
);

/** `readme.yaml`: what the example of the README sends, what the service answers, and what its variables hold in the end. */
export const ReadmeSchema = Type.Object(
  { sent: Type.Array(SentSchema, { minItems: 1 }), answers: Type.Array(AnswerSchema, { minItems: 1 }), variables: Values },
  closed,
);
export type ReadmeFixture = Static<typeof ReadmeSchema>;

/** `errors.yaml`: calls that fail, each with what its caller is told. */
export const ErrorsSchema = Type.Array(
  Type.Object(
    {
      /** For people; where it is missing, `says` or `paths` tell what is wrong. */
      when: Type.Optional(Type.String()),
      tool: Type.String(),
      parameters: Type.Optional(Values),
      /** Absent: nothing may be sent. */
      answer: Type.Optional(AnswerSchema),
      code: Type.Unsafe<ErrorCode>(Type.Enum(Object.keys(errorCodes))),
      /** Texts that the message has. */
      says: Type.Optional(oneOrMore(Type.String({ minLength: 1 }))),
      /** The paths of all issues, in any order. */
      paths: Type.Optional(Type.Array(Type.String())),
      /** Some of the details. Tool, status and retryAfterMs are compared in any case. */
      details: Type.Optional(Values),
    },
    closed,
  ),
);
export type ErrorFixture = Static<typeof ErrorsSchema>[number];

import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

/** A dotted path into a JSON answer, such as `data.status`. */
const Path = Type.String({ minLength: 1 });

const Status = Type.Integer({ minimum: 200, maximum: 299 });
const Statuses = Type.Union([Status, Type.Array(Status, { minItems: 1 })]);

/** A URL that an answer leads to. Exactly one of `header`, `path` and `template`. A relative one is relative to the URL of the answer. */
const AnswerUrlSchema = Type.Object(
  {
    /** The response header that holds the URL, such as `Location`. */
    header: Type.Optional(Type.String({ minLength: 1 })),
    /** The path of the URL in the answer, such as `links.status`. */
    path: Type.Optional(Path),
    /** A URL with placeholders, as in `execution.url`: names of parameters and of `answer`. */
    template: Type.Optional(Type.String({ minLength: 1 })),
    /** Placeholders of `template`, each with the path of its value in the answer: `{ job: data.id }`. */
    answer: Type.Optional(Type.Record(Type.String({ pattern: '^\\w+$' }), Path, { minProperties: 1 })),
  },
  closed,
);

/** A condition on an answer: its status, or the value at a path. Exactly one of `status`, `equals` and `one_of`. */
const AnswerConditionSchema = Type.Object(
  {
    status: Type.Optional(Statuses),
    path: Type.Optional(Path),
    /** The JSON value at `path`. */
    equals: Type.Optional(Type.Unknown()),
    /** The JSON values at `path`. */
    one_of: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  },
  closed,
);

/**
 * The way to a result that a service does not have yet. After an answer with `status`, the tool asks for `url` with GET until the answer meets `until`;
 * that answer is then the answer of the tool. Each wait reports progress. A larger Retry-After of the service replaces `every_ms`. Three failures in a
 * row (429, 5xx, no connection) end it, also where `retry` does not repeat them; `error_when` applies to each answer. Requests go to the origin of the
 * tool, others need `origins`; credentials go to the first origin only.
 */
export const PollSchema = Type.Object(
  {
    /** The status of an answer without a result. An answer with another one is the result. @default 202 */
    status: Type.Optional(Statuses),
    url: AnswerUrlSchema,
    /** The condition for the end. @default any status but `status` */
    until: Type.Optional(AnswerConditionSchema),
    /** The condition for a failure of the work: EXECUTION_FAILED. `message_path`: its message in the answer. */
    failed: Type.Optional(
      Type.Object(
        {
          path: Path,
          equals: Type.Optional(Type.Unknown()),
          one_of: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
          message_path: Type.Optional(Type.Union([Path, Type.Array(Path, { minItems: 1 })])),
        },
        closed,
      ),
    ),
    /** The part of the last answer that is the answer of the tool (`path`), or another URL that has it (`url`). @default the last answer */
    result: Type.Optional(
      Type.Object({ path: Type.Optional(Path), url: Type.Optional(AnswerUrlSchema) }, { ...closed, maxProperties: 1, minProperties: 1 }),
    ),
    /** Time between two requests in milliseconds. @default 2000 */
    every_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
    /**
     * Limit of all waiting in milliseconds: then TIMEOUT, with the last answer and the URL for its status. @default 95 percent of `execution.timeout_ms`, or
     * 55000 without that key
     */
    max_ms: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Further origins that URLs of answers may have, such as `https://files.shop.example`. They get no credentials. @default none */
    origins: Type.Optional(Type.Array(Type.String({ pattern: '^https?://' }), { minItems: 1, maxItems: 20 })),
  },
  closed,
);

export type Poll = Static<typeof PollSchema>;
export type AnswerUrl = Poll['url'];
export type AnswerCondition = NonNullable<Poll['until']>;

/** Returns the statuses of answers without a result. */
export function pendingStatuses({ status = 202 }: Poll): readonly number[] {
  return [status].flat();
}

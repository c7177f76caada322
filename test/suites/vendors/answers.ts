import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';
import { answerShapes, describeShape } from './answer-shapes.ts';
import type { SuccessAnswer } from './description.ts';
import { generatedValue } from './generated-value.ts';
import type { Answerer } from './stand-in.ts';

/** An answer to give, and what it is. */
export interface AnswerVariant {
  readonly title: string;
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly body?: JsonValue;
}

/** Every answer that a description allows, one of each shape. */
export function answerVariants(answers: readonly SuccessAnswer[]): readonly AnswerVariant[] {
  return answers.flatMap(({ status, schema }) =>
    schema === undefined
      ? [{ title: `${status} without a body`, status }]
      : answerShapes(schema).map((shape) => ({ title: `${status}, ${describeShape(shape)}`, status, body: generatedValue(schema, shape) })),
  );
}

export function answering({ status, body }: AnswerVariant): Answerer {
  return (_, response) => {
    if (body === undefined) response.writeHead(status).end();
    else response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };
}

/** The answer with a member that no description knows, at the top or in the first item; undefined where there is no place for one. */
export function withStranger(body: JsonValue | undefined, value: JsonValue): JsonValue | undefined {
  if (Array.isArray(body)) {
    const [first, ...rest] = body as readonly JsonValue[];
    const inner = withStranger(first, value);
    return inner === undefined ? undefined : [inner, ...rest];
  }
  return isPlainObject(body) ? { ...(body as Record<string, JsonValue>), x_new_member: value } : undefined;
}

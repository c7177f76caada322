import Type, { type TSchema } from 'typebox';
import { checkValue, excerpt } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { ClientAnswer, Question } from '../clients/exchange.ts';

const Text = Type.Optional(Type.String());

/** Content of a message of a model. */
const Content = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  Type.Object({ type: Type.Enum(['image', 'audio']), data: Type.String(), mimeType: Type.String() }),
]);

/** Value of a form's field. */
const Field = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]);

/** Schemas of the results that a client gives, by the method that asks it. */
const answers: Readonly<Record<Question['method'], TSchema>> = {
  'elicitation/create': Type.Object({
    action: Type.Enum(['accept', 'decline', 'cancel']),
    content: Type.Optional(Type.Union([Type.Null(), Type.Object({}, { additionalProperties: Field })])),
  }),
  'sampling/createMessage': Type.Object({
    role: Type.Enum(['user', 'assistant']),
    model: Type.String(),
    content: Content,
    stopReason: Text,
  }),
  'roots/list': Type.Object({ roots: Type.Array(Type.Object({ uri: Type.String({ pattern: '^file://' }), name: Text })) }),
};

/** Returns true when the answer has the form that this kind of question requires. */
export function isAnswerTo(method: Question['method'], answer: unknown): boolean {
  return checkValue(answers[method], answer).length === 0;
}

/** Returns the answer. Throws RpcError for one that has not the form that this kind of question requires. */
export function checkedAnswer(method: Question['method'], answer: unknown): ClientAnswer {
  const issues = checkValue(answers[method], answer);
  if (issues.length === 0) return answer as ClientAnswer;
  const shown = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  throw new RpcError(errorCodes.invalidParams, `The client's response to ${method} is wrong: ${excerpt(shown)}`);
}

import {
  type ApprovalAnswer,
  type ApprovalEvent,
  type ApprovalRecord,
  type Decider,
  excerpt,
  type HttpRoute,
  type HttpRouteRequest,
  type HttpRouteResponse,
  type Logger,
  type StateStore,
  ToolkitError,
} from '../../../kernel/index.ts';
import { type AnswerBody, namedId, readAnswer } from './answer-body.ts';
import { AnsweredIds } from './answered-ids.ts';
import { isSignedBy, isTimely, type SignedRequest, signedRequest } from './signature.ts';
import { answerPath } from './webhook-message.ts';
import type { Webhook } from './webhook-options.ts';

export interface AnswerRouteOptions {
  readonly state: Pick<StateStore, 'compareAndSet' | 'delete'>;
  readonly webhooks: readonly Webhook[];
  /** Decides a record, as `ApprovalInbox.decide` does, and reports an answer that it refuses (NOT_FOUND, INVALID_PARAMETERS). */
  readonly decide: (id: string, answer: ApprovalAnswer) => Promise<ApprovalRecord>;
  /** Reports an answer that was refused before it could decide. */
  readonly reject: (event: ApprovalEvent) => void;
  readonly logger: Pick<Logger, 'error'>;
  /** Clock, epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** A refused answer. `by` and `digest`: only after the signature was right. */
interface Refused {
  readonly status: number;
  readonly message: string;
  readonly by?: Decider | undefined;
  readonly answer?: AnswerBody | undefined;
  readonly decided?: unknown;
  /** True when `decide` has reported it. @default false */
  readonly isReported?: boolean;
}

/** Takes the answers of webhooks. The signature says which webhook has decided, and nothing of a request counts before it is right. */
export function answerRoute(options: AnswerRouteOptions): HttpRoute {
  const answers = new Answers(options);
  return { path: answerPath, methods: ['POST'], body: 'json', handle: (request) => answers.handle(request) };
}

class Answers {
  readonly #options: AnswerRouteOptions;
  readonly #ids: AnsweredIds;

  constructor(options: AnswerRouteOptions) {
    this.#options = options;
    this.#ids = new AnsweredIds(options.state);
  }

  async handle({ headers, text = '' }: HttpRouteRequest): Promise<HttpRouteResponse> {
    const request = signedRequest(headers, text);
    const webhook = request === undefined ? undefined : this.#signerOf(request);
    if (request === undefined || webhook === undefined)
      return this.#refuse(text, { status: 401, message: 'The answer is not signed by a webhook of this server.' });
    const by: Decider = { way: 'webhook', name: webhook.name };
    if (!isTimely(request, (this.#options.now ?? Date.now)()))
      return this.#refuse(text, {
        status: 401,
        message: 'The answer is more than 5 minutes old, or its clock is ahead. Sign it again.',
        by,
      });
    const answer = readAnswer(text);
    if (typeof answer === 'string') return this.#refuse(text, { status: 400, message: `The answer cannot be read: ${answer}.`, by });
    try {
      if (!(await this.#ids.take(webhook.name, request.id)))
        return this.#refuse(text, { status: 409, message: 'An answer with this "webhook-id" has been sent before.', by, answer });
      const { id, status, decisions } = await this.#decide(answer, by, request.id);
      return respond(200, { approval: id, status, decisions });
    } catch (error) {
      return this.#refuse(text, { ...this.#failureOf(error), by, answer });
    }
  }

  /** Returns the webhook whose secret has signed the request. Tries all, so that the time says nothing. */
  #signerOf(request: SignedRequest): Webhook | undefined {
    const [signer] = this.#options.webhooks.filter(({ keys }) => isSignedBy(request, keys));
    return signer;
  }

  async #decide({ approval, decision, digest, reason, hold }: AnswerBody, by: Decider, messageId: string): Promise<ApprovalRecord> {
    const more = { ...(reason === undefined ? {} : { reason }), ...(hold === undefined ? {} : { hold }) };
    try {
      return await this.#options.decide(approval, { approve: decision === 'approve', by, digest, ...more });
    } catch (error) {
      if (statusOf(error) >= 500) await this.#ids.giveBack(by.name, messageId);
      throw error;
    }
  }

  #failureOf(error: unknown): Refused {
    const status = statusOf(error);
    if (status === 500) this.#options.logger.error('the answer of a webhook failed', { error });
    if (status === 500 || !ToolkitError.is(error)) return { status: 500, message: 'The server failed. Send the answer again later.' };
    return { status, message: error.message, decided: error.details['decided'], isReported: status < 500 };
  }

  #refuse(text: string, { status, message, by, answer, decided, isReported = false }: Refused): HttpRouteResponse {
    if (!isReported) this.#report(text, { message, by, answer });
    return respond(status, { error: message, ...(decided === undefined ? {} : { decided }) });
  }

  #report(text: string, { message, by, answer }: Pick<Refused, 'message' | 'by' | 'answer'>): void {
    this.#options.reject({
      event: 'rejected',
      id: answer?.approval ?? namedId(text),
      ...(answer === undefined ? {} : { digest: answer.digest }),
      ...(by === undefined ? {} : { by }),
      reason: excerpt(message),
    });
  }
}

function statusOf(error: unknown): number {
  if (!ToolkitError.is(error)) return 500;
  if (error.code === 'NOT_FOUND') return 404;
  if (error.code === 'STATE_UNAVAILABLE') return 503;
  return error.code === 'INVALID_PARAMETERS' ? 409 : 500;
}

function respond(status: number, body: Readonly<Record<string, unknown>>): HttpRouteResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...(status === 503 ? { 'retry-after': '1' } : {}) };
  return { status, headers, body: JSON.stringify(body) };
}

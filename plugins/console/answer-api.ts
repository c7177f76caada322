import { type HttpRouteRequest, type HttpRouteResponse, type Kernel, readJson } from '../../kernel/index.ts';
import { hasCsrfToken } from './access/csrf.ts';
import type { SessionCookie } from './access/session-cookie.ts';
import { isStream, sessionStream } from './access/session-stream.ts';
import type { Session, Sessions } from './access/sessions.ts';
import type { ConsoleServices, Endpoint } from './endpoints/endpoint.ts';
import { failureAnswer } from './endpoints/failure.ts';
import { errorAnswer, jsonAnswer } from './endpoints/json-answer.ts';
import { matchEndpoint } from './endpoints/match.ts';
import { overview } from './endpoints/overview.ts';
import { safeHeaders } from './headers.ts';
import { paths } from './paths.ts';

export interface ApiParts {
  readonly endpoints: readonly Endpoint[];
  readonly services: () => ConsoleServices;
  readonly sessions: Pick<Sessions, 'whenEnded'>;
  readonly cookie: Pick<SessionCookie, 'end'>;
  /** Time after which the store reports changes of other processes, in milliseconds. Undefined where it does at once. */
  readonly pollMs: () => number | undefined;
}

/** The way of everybody who decides on the console. */
export const consoleWay = 'console';

/** Answers a request of a signed-in person to the API. */
export async function answerApi(request: HttpRouteRequest, session: Session, parts: ApiParts): Promise<HttpRouteResponse> {
  const { method } = request;
  const path = request.path.slice(paths.api.length);
  if (!hasCsrfToken(request, session))
    return errorAnswer(403, 'CSRF_TOKEN', 'The header x-toolkit-csrf must have the token of this session. Load the page again.');
  try {
    if (method === 'GET' && path === 'overview')
      return jsonAnswer(200, await overview(session, { kernel: parts.services().kernel, pollMs: parts.pollMs() }));
    if (method === 'POST' && path === 'logout') return jsonAnswer(200, {}, await parts.cookie.end(session));
    const match = matchEndpoint(parts.endpoints, method, path);
    if (match === undefined) return notFound();
    if ('allowed' in match)
      return errorAnswer(405, 'METHOD', `This path takes ${match.allowed.join(', ')}, received ${method}.`, {
        allow: match.allowed.join(', '),
      });
    const body = bodyOf(request);
    if (body === invalidBody) return errorAnswer(400, 'INVALID_PARAMETERS', 'The body is not JSON. Send one JSON value in UTF-8.');
    return await run(match.endpoint, { ...request, values: match.values, body }, session, parts);
  } catch (error) {
    return failureAnswer(error, `${method} ${paths.api}${path}`.slice(0, 200), parts.services());
  }
}

/** Returns the answer to a signed-in person where nothing is. */
export function notFound(): HttpRouteResponse {
  return errorAnswer(404, 'NOT_FOUND', 'Nothing is at this path of the console.');
}

interface MatchedRequest extends HttpRouteRequest {
  readonly values: Readonly<Record<string, string>>;
  readonly body: unknown;
}

async function run(
  endpoint: Endpoint,
  { values, query, body, signal: gone }: MatchedRequest,
  session: Session,
  { services, sessions }: ApiParts,
): Promise<HttpRouteResponse> {
  const { kernel } = services();
  const ending = new AbortController();
  const signal = AbortSignal.any([gone, ending.signal]);
  const by = { way: consoleWay, name: session.name };
  const answer = await endpoint.answer({ by, values, query, body, signal }, services());
  if (!isStream(answer)) return jsonAnswer(200, plainOf(kernel, answer));
  const onEnd = (): void => ending.abort(new Error('The session has ended.'));
  return {
    status: 200,
    headers: { ...safeHeaders, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    body: sessionStream(answer, { sessions, session, signal: gone, onEnd }),
  };
}

/** Returns an answer with every known secret masked: the last place before the browser. */
function plainOf(kernel: Pick<Kernel, 'mask'>, answer: unknown): unknown {
  return answer === undefined ? {} : kernel.mask(answer);
}

const invalidBody = Symbol('invalid body');

function bodyOf({ method, text = '' }: HttpRouteRequest): unknown {
  if (method === 'GET' || text === '') return undefined;
  try {
    return readJson(text);
  } catch {
    return invalidBody;
  }
}

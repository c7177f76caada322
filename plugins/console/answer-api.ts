import { type HttpRouteRequest, type HttpRouteResponse, readJson } from '../../kernel/index.ts';
import { hasCsrfToken, isOwnOrigin } from './access/csrf.ts';
import type { SessionCookie } from './access/session-cookie.ts';
import type { Session, Sessions } from './access/sessions.ts';
import type { ConsoleServices, Endpoint } from './endpoints/endpoint.ts';
import { failureAnswer } from './endpoints/failure.ts';
import { errorAnswer, jsonAnswer } from './endpoints/json-answer.ts';
import { matchEndpoint } from './endpoints/match.ts';
import { overview } from './endpoints/overview.ts';
import { eventsRoute } from './feed/events-route.ts';
import type { ConsoleFeed } from './feed/feed.ts';
import { safeHeaders } from './headers.ts';
import { paths } from './paths.ts';

export interface ApiParts {
  readonly endpoints: readonly Endpoint[];
  readonly services: () => ConsoleServices;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly feed: ConsoleFeed;
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
  if (!isOwnOrigin(request)) return errorAnswer(403, 'ORIGIN', 'A page of another origin sent this. Use the page of the console.');
  if (!hasCsrfToken(request, session))
    return errorAnswer(403, 'CSRF_TOKEN', 'The header x-toolkit-csrf must have the token of this session. Load the page again.');
  try {
    return (await ofSession(`${method} ${path}`, request, session, parts)) ?? (await ofEndpoint(path, request, session, parts));
  } catch (error) {
    return failureAnswer(error, `${method} ${paths.api}${path}`.slice(0, 200), parts.services());
  }
}

/** Answers a request about the session itself; undefined for another one. */
async function ofSession(
  line: string,
  { signal }: HttpRouteRequest,
  session: Session,
  { services, sessions, cookie, feed, pollMs }: ApiParts,
): Promise<HttpRouteResponse | undefined> {
  switch (line) {
    case 'GET overview':
      return jsonAnswer(200, await overview(session, { kernel: services().kernel, pollMs: pollMs() }));
    case 'GET events': {
      const { headers, ...stream } = eventsRoute({ signal, isOpen: () => sessions.isOpen(session) }, feed);
      return { ...stream, headers: { ...safeHeaders, ...headers } };
    }
    case 'POST logout':
      return jsonAnswer(200, {}, await cookie.end(session));
    default:
      return undefined;
  }
}

async function ofEndpoint(
  path: string,
  request: HttpRouteRequest,
  { name }: Session,
  { endpoints, services }: ApiParts,
): Promise<HttpRouteResponse> {
  const { method, query, signal } = request;
  const match = matchEndpoint(endpoints, method, path);
  if (match === undefined) return notFound();
  if ('allowed' in match) {
    const allow = match.allowed.join(', ');
    return errorAnswer(405, 'METHOD', `This path takes ${allow}, received ${method}.`, { allow });
  }
  const body = bodyOf(request);
  if (body === invalidBody) return errorAnswer(400, 'INVALID_PARAMETERS', 'The body is not JSON. Send one JSON value in UTF-8.');
  const by = { way: consoleWay, name };
  const answer = await match.endpoint.answer({ by, values: match.values, query, body, signal }, services());
  // The last place before the browser.
  return jsonAnswer(200, answer === undefined ? {} : services().kernel.mask(answer));
}

/** Returns the answer to a signed-in person where nothing is. */
export function notFound(): HttpRouteResponse {
  return errorAnswer(404, 'NOT_FOUND', 'Nothing is at this path of the console.');
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

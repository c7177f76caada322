import { type HttpRouteRequest, type HttpRouteResponse, ToolkitError } from '../../kernel/index.ts';
import type { LoginWay } from './access/login-way.ts';
import type { SessionCookie } from './access/session-cookie.ts';
import { strangersResponse } from './access/strangers.ts';
import { type ApiParts, answerApi, notFound } from './answer-api.ts';
import type { Assets } from './assets.ts';
import { errorAnswer } from './endpoints/json-answer.ts';
import { safeHeaders } from './headers.ts';
import { paths } from './paths.ts';
import { shellOf } from './shell.ts';

export interface AnswerParts {
  readonly assets: Assets | undefined;
  readonly login: LoginWay;
  readonly cookie: SessionCookie;
  readonly api: ApiParts;
}

/**
 * Returns the function that answers every request to `/console` and below it. A stranger gets the login, the two assets, and one and the same 401 for
 * all else. Paths are compared as they were sent: another spelling of one is another path.
 */
export function consoleAnswer({ assets, login, cookie, api }: AnswerParts): (request: HttpRouteRequest) => Promise<HttpRouteResponse> {
  const stranger = strangersResponse(assets);
  const shell = shellOf(assets);
  const answer = async (request: HttpRouteRequest): Promise<HttpRouteResponse> => {
    const { method, path } = request;
    const asset = method === 'GET' ? assets?.responseTo(request) : undefined;
    if (asset !== undefined) return asset;
    const session = await cookie.sessionOf(request);
    if (isLogin(path)) {
      if (session !== undefined && method === 'GET') return { status: 303, headers: { ...safeHeaders, location: paths.shell } };
      const page = await login.answer(request);
      if (page !== undefined) return page;
    }
    if (session === undefined) return stranger;
    if (path.startsWith(paths.api)) return answerApi(request, session, api);
    if (path !== paths.shell && path !== paths.below) return notFound();
    return method === 'GET' ? shell : errorAnswer(405, 'METHOD', `This path takes GET, received ${method}.`, { allow: 'GET' });
  };
  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return unavailable;
      throw error;
    }
  };
}

/** At every path: without the store nobody knows who is a stranger. */
const unavailable = errorAnswer(503, 'STATE_UNAVAILABLE', 'The store of this server cannot be reached. Try again in a minute.', {
  'retry-after': '60',
});

function isLogin(path: string): boolean {
  return path === paths.login || path === paths.openid || path === paths.callback;
}

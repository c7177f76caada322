import type { HttpRouteRequest, HttpRouteResponse } from '../../../kernel/index.ts';
import { safeHeaders } from '../headers.ts';
import { paths } from '../paths.ts';
import { codeIn, type OneTimeCodes } from './codes.ts';
import type { LoginParts, LoginWay } from './login-way.ts';

/** Name of everybody who logs in with a code. */
export const codeName = 'operator';

export interface CodeLoginOptions extends LoginParts {
  readonly codes: OneTimeCodes;
}

/** The login with a one-time code. */
export class CodeLogin implements LoginWay {
  readonly #options: CodeLoginOptions;

  constructor(options: CodeLoginOptions) {
    this.#options = options;
  }

  async answer(request: HttpRouteRequest): Promise<HttpRouteResponse | undefined> {
    if (request.path !== paths.login) return undefined;
    return request.method === 'POST' ? this.#logIn(request) : this.#options.pages.ofCode({ status: 200 });
  }

  async #logIn(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const { codes, attempts, cookie, logger } = this.#options;
    const { address, form } = request;
    const waitMs = await attempts.count(address);
    if (waitMs !== undefined) return this.#tooMany(address, waitMs);
    const code = codeIn(form.get('code') ?? '');
    if (code === undefined || !(await codes.consume(code))) return this.#wrong(address);
    await attempts.forget(address);
    const headers = await cookie.begin(request, codeName);
    logger.info('console: logged in with a code', { name: codeName, address });
    return { status: 303, headers: { ...safeHeaders, location: paths.shell, ...headers } };
  }

  #wrong(address: string): HttpRouteResponse {
    const { pages, kernel, logger } = this.#options;
    logger.warn('console: a wrong code was typed', { address });
    kernel().reportRefusal({ reason: 'token', status: 401, address, count: 1 });
    return pages.ofCode({
      status: 401,
      problem: 'This code does not count: it is wrong, was used, or is older than ten minutes. Get another one.',
    });
  }

  #tooMany(address: string, waitMs: number): HttpRouteResponse {
    const { pages, kernel } = this.#options;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    kernel().reportRefusal({ reason: 'rate', status: 429, address, count: 1 });
    return pages.ofCode({
      status: 429,
      problem: `Too many wrong codes were typed. Try again in ${seconds} seconds; a code is not used up by that.`,
      headers: { 'retry-after': String(seconds) },
    });
  }
}

import type { HttpRouteRequest, HttpRouteResponse } from '../../../kernel/index.ts';
import { isEqual } from '../../shared/keys/equal-texts.ts';
import { boundCookie, cookiesOf, formToken, isPrefetch, isVisit, setCookie } from './browser-binding.ts';
import type { ConnectFlow } from './connect-flow.ts';
import { randomText, sha256 } from './connect-keys.ts';
import {
  askPage,
  codePage,
  donePage,
  elsewherePage,
  failedPage,
  formPage,
  refusedPage,
  signInPage,
  strayPage,
  unknownPage,
} from './connect-pages.ts';
import { callbackPath, linkPath, signInPath } from './connect-paths.ts';
import { mayGoOn, type ReadConnect } from './pending-connect.ts';

/** Answers the pages of logins by link. The id, the cookie and the form's token authenticate; nothing in the query of a link is read. */
export class ConnectPages {
  readonly #flow: ConnectFlow;

  constructor(flow: ConnectFlow) {
    this.#flow = flow;
  }

  /** Answers a request to one of the `connectRoutes`. */
  handle(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    if (request.path === callbackPath) return this.#finish(request);
    if (request.path === signInPath) return this.#finishSignIn(request);
    return request.method === 'POST' ? this.#send(request) : this.#show(request);
  }

  async #show(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    // Browsers drop a failed prefetch and ask again when the person visits.
    if (isPrefetch(request.headers)) return refusedPage(503, 'Open the link', 'This page is shown when a person opens the link.');
    const read = await this.#find(request);
    if (read === undefined) return unknownPage();
    if (read.connect.browser === undefined) return this.#showFirst(request, read);
    const cookie = boundCookie(request, read);
    return cookie === undefined ? elsewherePage() : this.#showAgain(read, cookie);
  }

  /** Binds the link to the browser of a person's visit. Other programs see the page, and leave the link open. */
  async #showFirst(request: HttpRouteRequest, read: ReadConnect): Promise<HttpRouteResponse> {
    if (read.connect.stage.kind !== 'open') return unknownPage();
    // Never a value of the request: another page of the host may have planted it.
    const cookie = randomText();
    const bound = isVisit(request) ? await this.#flow.bind(read, sha256(cookie)) : read;
    return bound === undefined ? elsewherePage() : this.#askPage(bound, cookie);
  }

  #showAgain(read: ReadConnect, cookie: string): HttpRouteResponse {
    const { connect } = read;
    const { stage } = connect;
    const title = this.#flow.titleOf(connect);
    if (mayGoOn(connect)) return this.#askPage(read, cookie);
    if (stage.kind === 'code') return codePage(connect, title, stage.code);
    if (stage.kind === 'done') return donePage(connect, title, stage.account);
    if (stage.kind === 'failed') return failedPage(410, title, stage.message);
    return refusedPage(409, 'The login is being finished', 'Load this page again in a moment.');
  }

  #askPage(read: ReadConnect, cookie: string): HttpRouteResponse {
    const title = this.#flow.titleOf(read.connect);
    const [token, headers] = [formToken(read, cookie), setCookie(read, cookie)];
    const issuer = this.#flow.signIns.issuerFor(read.connect);
    if (issuer !== undefined) return signInPage(read.connect, title, issuer.issuer, token, headers);
    return askPage(this.#flow.asShown(read.connect), title, token, headers);
  }

  /** Sends the browser of a valid form to the provider; to the issuer of this server first, where the person must sign in. */
  async #send(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const read = await this.#find(request);
    if (read === undefined) return unknownPage();
    const isBound = read.connect.browser !== undefined;
    const bound = boundCookie(request, read);
    const cookies = isBound ? [bound].filter((value) => value !== undefined) : cookiesOf(request, read);
    if (cookies.length === 0) return elsewherePage();
    const token = request.form.get('token') ?? '';
    const cookie = cookies.find((value) => isEqual(token, formToken(read, value)));
    if (cookie === undefined)
      return (
        sentBefore(request, read, token) ??
        formPage(403, 'This form is not valid', 'It was sent already, or it is not a form of this page.')
      );
    const issuer = this.#flow.signIns.issuerFor(read.connect);
    const sent = { browser: sha256(cookie), form: sha256(token) };
    const begun =
      issuer === undefined
        ? await this.#flow.begin(read, sent)
        : await this.#flow.signIns.begin(read, issuer, { id: idIn(request), ...sent });
    if (begun.kind === 'begun') return redirectTo(begun.url);
    if (begun.kind === 'changed')
      return sentBefore(request, await this.#find(request), token) ?? formPage(409, 'This form was sent already', 'The login goes on.');
    return failedPage(502, this.#flow.titleOf(read.connect), begun.message);
  }

  /** Goes on with a link whose person has signed in. */
  async #finishSignIn(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const read = await this.#findByState(request);
    if (read?.connect.stage.kind !== 'signing') return strayPage();
    if (boundCookie(request, read) === undefined) return elsewherePage();
    const signedIn = await this.#flow.signIns.finish(read, request.query);
    if (signedIn.kind === 'same') return redirectTo(`${read.connect.baseUrl}${linkPath}${signedIn.id}`);
    if (signedIn.kind === 'changed') return refusedPage(409, 'This answer was used already', 'Open the link again.');
    return failedPage(403, this.#flow.titleOf(read.connect), signedIn.message);
  }

  /** Finishes the login that a redirect belongs to. A redirect that comes from another browser leaves it as it is. */
  async #finish(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const read = await this.#findByState(request);
    if (read === undefined || read.connect.stage.kind === 'signing') return strayPage();
    const cookie = boundCookie(request, read);
    if (cookie === undefined) return elsewherePage();
    // Loaded again: phones do that by themselves when the person comes back from typing the code.
    if (read.connect.stage.kind !== 'sent') return this.#showAgain(read, cookie);
    const title = this.#flow.titleOf(read.connect);
    const finished = await this.#flow.finish(read, request.query);
    if (finished === undefined) return refusedPage(409, 'This answer was used already', 'The login is finished in another window.');
    const { stage } = finished.connect;
    if (stage.kind === 'code') return codePage(finished.connect, title, stage.code);
    if (stage.kind === 'done') return donePage(finished.connect, title, stage.account);
    return failedPage(400, title, stage.kind === 'failed' ? stage.message : 'The link has expired.');
  }

  #find(request: HttpRouteRequest): Promise<ReadConnect | undefined> {
    return this.#flow.links.find(idIn(request));
  }

  async #findByState({ query }: HttpRouteRequest): Promise<ReadConnect | undefined> {
    const states = query.getAll('state');
    return states.length === 1 ? this.#flow.links.findByState(states[0] ?? '') : undefined;
  }
}

/** Sends the browser whose form was sent before to the same address: people press a button twice. Undefined for another browser or form. */
function sentBefore(request: HttpRouteRequest, read: ReadConnect | undefined, token: string): HttpRouteResponse | undefined {
  const stage = read?.connect.stage;
  if (read === undefined || (stage?.kind !== 'sent' && stage?.kind !== 'signing')) return undefined;
  return boundCookie(request, read) !== undefined && isEqual(stage.form, sha256(token)) ? redirectTo(stage.request.url) : undefined;
}

function idIn({ path }: HttpRouteRequest): string {
  return path.slice(linkPath.length);
}

function redirectTo(location: string): HttpRouteResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

import { toUrl } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { DecodedText, ReplacedResult } from '../../../plugins/shared/text/utf8.ts';
import { checkUrl } from './check-url.ts';
import { decodeText } from './decode-text.ts';
import { exchange } from './exchange.ts';
import { statusError } from './fetch-error.ts';
import { readBytes } from './read-bytes.ts';
import { closeAndReturn } from './read-text.ts';
import type { RobotsRules } from './robots-rules.ts';

interface RobotsParameters {
  readonly url: string;
  readonly user_agent: string;
  readonly path?: string;
}

interface Robots extends RobotsRules, ReplacedResult {
  readonly url: string;
}

/** Size that every crawler must read (RFC 9309, 2.5), in bytes. */
const maxBytes = 500 * 1024;
const timeoutMs = 30_000;

/**
 * Reads the robots.txt of a site (RFC 9309). Without one everything is allowed. Throws the code of a status from 500 on, and of
 * 429: the rules are then unknown.
 */
export function readRobots({ url, user_agent: userAgent, path }: RobotsParameters, context: FunctionContext): Promise<Robots> {
  const site = checkUrl(url);
  const place = toUrl('/robots.txt', site).href;
  const asked = path === undefined ? (site.pathname === '/robots.txt' ? undefined : site.href) : `${site.origin}${path}`;
  const outgoing = { method: 'GET', headers: new Headers({ accept: 'text/plain' }) };
  return exchange(place, outgoing, timeoutMs, context, async ({ response, url: final }) => {
    const { status, headers } = response;
    if (status >= 500 || status === 429) throw await closeAndReturn(response, statusError(status, final, headers));
    const { text, replaced } = status >= 300 ? { text: '', replaced: 0 } : await wholeLines(response.body);
    if (status >= 300) await response.body?.cancel();
    const data = { text, place, user_agent: userAgent, ...(asked === undefined ? {} : { asked: toUrl(asked).href }) };
    const found = (await context.inChild('./robots-rules.ts#robotsRules', data)) as RobotsRules;
    return { url: final, ...found, ...(replaced === 0 ? {} : { replaced }) };
  });
}

/** Reads the text; drops an incomplete last line of a file that is too long. */
async function wholeLines(body: ReadableStream<Uint8Array> | null): Promise<DecodedText> {
  const { bytes, truncated } = await readBytes(body, maxBytes);
  const { text, replaced } = decodeText(bytes, { charset: 'utf-8', kind: 'text' });
  return { text: truncated ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text, replaced };
}

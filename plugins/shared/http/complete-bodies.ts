import { type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ForwardingHandler } from './forwarding-handler.ts';

type Dispatch = Dispatcher['dispatch'];
type Controller = Dispatcher.DispatchController;

/** Maximum consecutive content codings. No service needs more; undici and curl have the same limit. */
const maxCodings = 5;

/**
 * Interceptor of `dispatch` that reports a truncated or corrupt compressed body as an error, as a plain body is. `fetch` decodes leniently
 * and accepts such a body. It is therefore decoded strictly a second time, and its end is passed on only when that succeeds. undici's
 * `decompress` interceptor is not used: it refuses what every client accepts, such as an empty body, or `deflate` without a zlib header.
 */
export function requireCompleteBodies(dispatch: Dispatch): Dispatch {
  return (request, handler) => dispatch(request, new CompleteBodyHandler(handler));
}

class CompleteBodyHandler extends ForwardingHandler {
  #codings: readonly string[] = [];
  #reading: BodyCheck | undefined;

  override onResponseStart(...given: Parameters<ForwardingHandler['onResponseStart']>): void {
    const [, , headers] = given;
    this.#codings = codingsOf(headers['content-encoding']);
    super.onResponseStart(...given);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#codings.length > 0) {
      this.#reading ??= new BodyCheck(this.#codings, chunk);
      this.#reading.write(chunk);
    }
    super.onResponseData(controller, chunk);
  }

  override onResponseEnd(...given: Parameters<ForwardingHandler['onResponseEnd']>): void {
    if (this.#reading === undefined) super.onResponseEnd(...given);
    else
      this.#reading.end().then(
        () => super.onResponseEnd(...given),
        (cause: Error) => super.onResponseError(given[0], brokenBody(this.#codings, cause)),
      );
  }

  override onResponseError(...given: Parameters<ForwardingHandler['onResponseError']>): void {
    this.#reading?.stop();
    super.onResponseError(...given);
  }
}

/** Decodes a body to check that it is complete. Discards the output. */
class BodyCheck {
  readonly #first: Writable;
  readonly #whole: Promise<void>;

  constructor(codings: readonly string[], start: Buffer) {
    const decoders = codings.map((coding, index) => decoderOf(coding, index === 0 ? start : undefined));
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    this.#first = decoders[0] ?? sink;
    this.#whole = pipeline([...decoders, sink]);
    // `end` reports the error; a response that is cut off never calls it.
    this.#whole.catch(() => {});
  }

  /** Ignores bytes after the end of the compressed data, as `fetch` does. */
  write(chunk: Buffer): void {
    if (this.#first.writable) this.#first.write(chunk);
  }

  end(): Promise<void> {
    if (this.#first.writable) this.#first.end();
    return this.#whole;
  }

  stop(): void {
    this.#first.destroy();
  }
}

/** Parses Content-Encoding (RFC 9110, 8.4), last coding first. Empty when `fetch` does not decode it either. */
function codingsOf(header: string | readonly string[] | undefined): readonly string[] {
  const named = [header ?? []].flat().join(',').toLowerCase().split(',');
  const codings = named.map((coding) => coding.trim()).filter((coding) => coding !== '');
  return codings.length > maxCodings || codings.some((coding) => !decodable.has(coding)) ? [] : codings.reverse();
}

const decodable: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** Creates the decoder of a coding. `start`: the first bytes, which tell zlib from raw deflate, which some servers send (RFC 1950, 2.2). */
function decoderOf(coding: string, start: Buffer | undefined): Transform {
  if (coding === 'br') return zlib.createBrotliDecompress();
  if (coding !== 'deflate') return zlib.createGunzip();
  return ((start?.[0] ?? 8) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
}

function brokenBody([coding]: readonly string[], cause: Error): Error {
  return new Error(`the body was cut off or is broken (${coding}: ${cause.message})`, { cause });
}

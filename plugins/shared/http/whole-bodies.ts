import { type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { PassingHandler } from './passing-handler.ts';

type Dispatch = Dispatcher['dispatch'];
type Controller = Dispatcher.DispatchController;

/** Codings in a row that are followed; no service needs more (as undici and curl limit them). */
const maxCodings = 5;

/**
 * Makes a compressed body that is cut off or broken an error, as a cut plain one is: an interceptor of `dispatch`. `fetch` decodes
 * leniently and takes such a body for a whole one, so it is decoded strictly beside it, and its end is passed on when that has come to the end as well.
 * The interceptor `decompress` of undici is not used: it refuses what every client reads, such as an empty body, or `deflate` without the header of zlib.
 */
export function wholeBodies(dispatch: Dispatch): Dispatch {
  return (request, handler) => dispatch(request, new WholeBody(handler));
}

class WholeBody extends PassingHandler {
  #codings: readonly string[] = [];
  #reading: StrictReading | undefined;

  override onResponseStart(...given: Parameters<PassingHandler['onResponseStart']>): void {
    const [, , headers] = given;
    this.#codings = codingsOf(headers['content-encoding']);
    super.onResponseStart(...given);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#codings.length > 0) {
      this.#reading ??= new StrictReading(this.#codings, chunk);
      this.#reading.write(chunk);
    }
    super.onResponseData(controller, chunk);
  }

  override onResponseEnd(...given: Parameters<PassingHandler['onResponseEnd']>): void {
    if (this.#reading === undefined) super.onResponseEnd(...given);
    else
      this.#reading.end().then(
        () => super.onResponseEnd(...given),
        (cause: Error) => super.onResponseError(given[0], brokenBody(this.#codings, cause)),
      );
  }

  override onResponseError(...given: Parameters<PassingHandler['onResponseError']>): void {
    this.#reading?.stop();
    super.onResponseError(...given);
  }
}

/** Decodes a body to find out whether it comes to its end, and keeps nothing of it. */
class StrictReading {
  readonly #first: Writable;
  readonly #whole: Promise<void>;

  constructor(codings: readonly string[], start: Buffer) {
    const decoders = codings.map((coding, index) => decoderOf(coding, index === 0 ? start : undefined));
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    this.#first = decoders[0] ?? sink;
    this.#whole = pipeline([...decoders, sink]);
    // Reported by `end`, which an answer that breaks off never reaches.
    this.#whole.catch(() => {});
  }

  /** Bytes behind the end of what is compressed are nobody's, as for `fetch`. */
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

/** Decoders of a Content-Encoding (RFC 9110, 8.4), the last first; none where `fetch` does not decode it either. */
function codingsOf(header: string | readonly string[] | undefined): readonly string[] {
  const named = [header ?? []].flat().join(',').toLowerCase().split(',');
  const codings = named.map((coding) => coding.trim()).filter((coding) => coding !== '');
  return codings.length > maxCodings || codings.some((coding) => !decodable.has(coding)) ? [] : codings.reverse();
}

const decodable: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** `start`: the first bytes; those of zlib tell it from deflate without a header, which some servers send (RFC 1950, 2.2). */
function decoderOf(coding: string, start: Buffer | undefined): Transform {
  if (coding === 'br') return zlib.createBrotliDecompress();
  if (coding !== 'deflate') return zlib.createGunzip();
  return ((start?.[0] ?? 8) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
}

function brokenBody([coding]: readonly string[], cause: Error): Error {
  return new Error(`the body was cut off or is broken (${coding}: ${cause.message})`, { cause });
}

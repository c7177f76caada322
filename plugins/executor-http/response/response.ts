import { type ContentPart, excerpt, type JsonValue, type Progress, readJson, ToolkitError, textExcess } from '../../../kernel/index.ts';
import { type DecodedText, decodeAs, decodeUtf8 } from '../../shared/text/utf8.ts';

export interface ReadResponse {
  readonly status: number;
  readonly contentType: string;
  /** The number of bytes that were read. */
  readonly bytes: number;
  readonly body: JsonValue;
  /** The number of U+FFFD characters in the body that replace bytes invalid in its encoding. Absent where there are none. */
  readonly replaced?: number;
  /** Set when the body says where the answer was saved. */
  readonly isSaved?: true;
  /** An image or audio part, to be shown as such. */
  readonly content?: readonly ContentPart[];
}

export interface ReadLimits {
  /** Limit of the answer in bytes, together with earlier answers of the call (`previousBytes`). */
  readonly maxBytes: number;
  readonly previousBytes: number;
  readonly onProgress: (progress: Progress) => void;
  /** True to refuse JSON that is too costly to process. @default false */
  readonly refusesCostlyJson?: boolean;
}

/** Bytes between two progress notes of a download. */
const progressBytes = 256 * 1024;

/** Limit of a failed answer, in bytes: enough for its message. */
const maxFailureBytes = 64 * 1024;

/**
 * Reads an answer: JSON and text as such, anything else as `{content_type, bytes, base64}`, no body as null. Throws
 * OUTPUT_TOO_LARGE, and OUTPUT_INVALID for JSON that does not parse. Of a failed answer it reads as much as it can, because
 * its status matters more.
 */
export async function readResponse(response: Response, limits: ReadLimits): Promise<ReadResponse> {
  const contentType = response.headers.get('content-type') ?? '';
  const bytes = response.ok ? await readBytes(response, limits) : await readStart(response);
  if (limits.refusesCostlyJson === true && isJson(contentType)) refuseCostlyJson(bytes, response.status);
  const media = response.ok && bytes.length > 0 ? mediaPart(bytes, contentType) : undefined;
  return {
    status: response.status,
    contentType,
    bytes: bytes.length,
    ...(bytes.length === 0 ? { body: null } : decode(bytes, contentType, !response.ok)),
    ...(media === undefined ? {} : { content: [media] }),
  };
}

function mediaPart(bytes: Buffer, contentType: string): ContentPart | undefined {
  const [, mimeType = '', kind] = /^((image|audio)\/[\w.+-]+)/i.exec(contentType) ?? [];
  // An XML image is text that a model can read.
  if (kind === undefined || /xml$/i.test(mimeType)) return undefined;
  return { type: kind.toLowerCase() as 'image' | 'audio', data: bytes.toString('base64'), mimeType: mimeType.toLowerCase() };
}

export async function readBytes(response: Response, { maxBytes, previousBytes, onProgress }: ReadLimits): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  // The length of a compressed answer is that of the transferred bytes, not of the decoded ones.
  const length = response.headers.has('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0);
  let size = 0;
  let reportedSize = 0;
  for await (const chunk of chunksOf(response)) {
    size += chunk.byteLength;
    if (previousBytes + size > maxBytes) {
      throw new ToolkitError(
        'OUTPUT_TOO_LARGE',
        `The answer${previousBytes === 0 ? ' is' : 's of this call are together'} larger than ${maxBytes} bytes and ${previousBytes === 0 ? 'was' : 'the last one was'} not read to its end. Ask for less (a filter, a smaller page), or raise maxResponseBytes.`,
        { status: response.status, maxBytes },
      );
    }
    chunks.push(chunk);
    if (size - reportedSize < progressBytes) continue;
    reportedSize = size;
    onProgress({ progress: size, message: 'bytes received', ...(length >= size ? { total: length } : {}) });
  }
  return Buffer.concat(chunks);
}

async function readStart(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= maxFailureBytes) break;
    }
  } catch {
    // The status matters more than the end of the message.
  }
  return Buffer.concat(chunks).subarray(0, maxFailureBytes);
}

function chunksOf(response: Response): AsyncIterable<Uint8Array> {
  return (response.body ?? []) as AsyncIterable<Uint8Array>;
}

function decode(bytes: Buffer, contentType: string, isLenient: boolean): Pick<ReadResponse, 'body' | 'replaced'> {
  if (isJson(contentType)) {
    const { text, ...replacedCount } = withCount(decodeUtf8(bytes));
    try {
      return { body: readJson(text) as JsonValue, ...replacedCount };
    } catch {
      if (isLenient) return { body: text, ...replacedCount };
      throw new ToolkitError(
        'OUTPUT_INVALID',
        `The answer says it is ${excerpt(contentType, 60)}, but its ${bytes.length} bytes do not parse as JSON. It may have been cut off.`,
      );
    }
  }
  if (contentType === '' || /^text\/|[/+]xml\b|javascript|json|yaml|x-www-form-urlencoded|graphql/i.test(contentType)) {
    const decoded = decodeText(bytes, contentType);
    if (decoded !== undefined) {
      const { text, ...replacedCount } = withCount(decoded);
      return { body: text, ...replacedCount };
    }
  }
  return { body: binaryBody(bytes, contentType) };
}

export function isJson(contentType: string): boolean {
  return /[/+]json\s*(;|$)/i.test(contentType);
}

function refuseCostlyJson(bytes: Buffer, status: number): void {
  const excess = textExcess(bytes);
  if (excess === undefined) return;
  const message = `The answer was not read: its JSON holds ${excess}. Ask for less (a filter, a smaller page).`;
  throw new ToolkitError('OUTPUT_TOO_LARGE', message, { status });
}

/** Returns undefined for bytes without a type that are not UTF-8. */
function decodeText(bytes: Buffer, contentType: string): DecodedText | undefined {
  const decoded = decodeAs(bytes, /charset="?([\w-]+)/i.exec(contentType)?.[1]);
  return contentType === '' && decoded.replaced > 0 ? undefined : decoded;
}

function withCount({ text, replaced }: DecodedText): { readonly text: string; readonly replaced?: number } {
  return replaced === 0 ? { text } : { text, replaced };
}

function binaryBody(bytes: Buffer, contentType: string): JsonValue {
  return {
    content_type: contentType === '' ? 'application/octet-stream' : contentType,
    bytes: bytes.length,
    base64: bytes.toString('base64'),
  };
}

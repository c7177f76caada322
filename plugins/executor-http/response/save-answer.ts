import { type CallContext, excerpt, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { saveStream } from '../../shared/confined-files/save-stream.ts';
import { savingError } from '../../shared/confined-files/saving-error.ts';
import type { SaveTo } from '../definition/save-to.ts';
import type { ReadResponse } from './response.ts';

/** The file that an answer is saved to. */
export interface SaveTarget {
  /** The confined path from the caller. */
  readonly path: string;
  readonly overwrite: boolean;
  readonly maxBytes: number;
}

/** Bytes between two progress notes. */
const progressBytes = 1024 * 1024;

const defaultMaxBytes = 100 * 1024 * 1024;

/** Returns the file that the answer of a call is saved to; undefined where the caller wants the answer as the output. */
export function saveTargetOf(saveTo: SaveTo | undefined, parameters: Readonly<Record<string, unknown>>): SaveTarget | undefined {
  const path = saveTo === undefined ? undefined : parameters[saveTo.parameter];
  if (saveTo === undefined || typeof path !== 'string') return undefined;
  const { overwrite = '', max_bytes: maxBytes = defaultMaxBytes } = saveTo;
  return { path, overwrite: parameters[overwrite] === true, maxBytes };
}

/** Makes the error of a call that would have to replace a file. Nothing has been sent. */
export function fileExistsError(path: string, tool: string): ToolkitError {
  const message = `"${excerpt(path)}" exists already, and nothing was sent. Allow replacing it, or choose another path.`;
  return new ToolkitError('EXECUTION_FAILED', message, { tool, file: path, isSent: false });
}

/**
 * Saves a successful answer as a file while it arrives, and returns a description of the file. The name comes from the caller
 * alone, never from the service. Throws OUTPUT_TOO_LARGE, EXECUTION_FAILED for the path, and the error of an answer that
 * breaks off; nothing is saved then.
 */
export async function saveAnswer(
  response: Response,
  { path, overwrite, maxBytes }: SaveTarget,
  context: CallContext,
): Promise<ReadResponse> {
  const { status, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  const tooLarge = (): ToolkitError =>
    new ToolkitError(
      'OUTPUT_TOO_LARGE',
      `The answer is larger than ${maxBytes} bytes and was not saved. Ask for less, or raise max_bytes.`,
      {
        status,
        maxBytes,
      },
    );
  let reportedBytes = 0;
  const onBytes = (bytes: number): void => {
    if (bytes - reportedBytes < progressBytes) return;
    reportedBytes = bytes;
    context.progress({ progress: bytes, message: 'bytes saved' });
  };
  try {
    const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
    const saved = await saveStream(body, path, { overwrite, maxBytes, tooLarge, onBytes });
    const content_type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const output = { path, bytes: saved.bytes, content_type, sha256: saved.sha256 } satisfies JsonValue;
    return { status, contentType, bytes: saved.bytes, body: output, isSaved: true };
  } catch (error) {
    await response.body?.cancel().catch(() => {});
    throw savingError(error, path);
  }
}

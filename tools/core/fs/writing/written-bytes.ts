import { describeValue, ToolkitError } from '../../../../kernel/index.ts';

export type WriteEncoding = 'utf8' | 'base64' | 'latin1';

/** Encodes a text to bytes. Throws INVALID_PARAMETERS for a text that the encoding cannot represent, and never changes it. */
export function bytesOf(content: string, encoding: WriteEncoding): Buffer {
  const bytes = Buffer.from(content, encoding);
  if (encoding === 'utf8' && !content.isWellFormed()) throw badContent('expected text, received half of a surrogate pair');
  if (encoding === 'latin1' && /[^\0-\xff]/.test(content)) {
    const [first] = /[^\0-\xff]/u.exec(content) ?? [];
    throw badContent(`expected characters up to U+00FF for encoding latin1, received ${describeValue(first)}. Use encoding utf8`);
  }
  if (encoding === 'base64' && bare(bytes.toString('base64')) !== bare(content)) {
    throw badContent(
      'expected base64 (RFC 4648, section 4), received other characters or an incomplete text. For plain text use encoding utf8',
    );
  }
  return bytes;
}

/**
 * Encodes a text that arrives in pieces. Base64 is decoded in groups of four characters, wherever a piece ends; `onBytes`
 * receives the number of bytes of each part.
 */
export async function* bytesOfPieces(
  pieces: AsyncIterable<string>,
  encoding: WriteEncoding,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void> {
  let rest = '';
  let isPadded = false;
  for await (const piece of pieces) {
    const text = encoding === 'base64' ? rest + piece.replace(/\s/g, '') : piece;
    const end = encoding === 'base64' ? text.length - (text.length % 4) : text.length;
    if (isPadded && text !== '') throw badContent('expected base64, received more of it behind the = at its end');
    isPadded = encoding === 'base64' && text.endsWith('=');
    rest = text.slice(end);
    const bytes = bytesOf(text.slice(0, end), encoding);
    onBytes(bytes.length);
    yield bytes;
  }
  const last = bytesOf(rest, encoding);
  onBytes(last.length);
  yield last;
}

/** Removes padding and line ends from base64. */
function bare(base64: string): string {
  return base64.replace(/\s|={1,2}\s*$/g, '');
}

function badContent(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "content": ${message}.`, { issues: [{ path: 'content', message }] });
}

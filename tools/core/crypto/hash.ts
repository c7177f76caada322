import { createHash, hash as digestOf } from 'node:crypto';
import type { StreamedText } from '../../../plugins/shared/text/streamed-text.ts';

interface HashParameters {
  readonly text: StreamedText;
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5' | 'sha3-256';
  readonly output: 'hex' | 'base64';
}

interface HashResult {
  readonly digest: string;
}

/** Returns the digest of a text in UTF-8. Half of a surrogate pair counts as U+FFFD. */
export function hash({ text, algorithm, output }: HashParameters): HashResult | Promise<HashResult> {
  return typeof text === 'string' ? { digest: digestOf(algorithm, text, output) } : hashPieces({ text, algorithm, output });
}

async function hashPieces({ text, algorithm, output }: HashParameters): Promise<HashResult> {
  const hashed = createHash(algorithm);
  for await (const piece of text) hashed.update(piece, 'utf8');
  return { digest: hashed.digest(output) };
}

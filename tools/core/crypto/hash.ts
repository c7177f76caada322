import { hash as digestOf } from 'node:crypto';

interface HashParameters {
  readonly text: string;
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5' | 'sha3-256';
  readonly output: 'hex' | 'base64';
}

/** The digest of the UTF-8 form of a text. A lone surrogate has none and counts as U+FFFD. */
export function hash({ text, algorithm, output }: HashParameters): { readonly digest: string } {
  return { digest: digestOf(algorithm, text, output) };
}

import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { after, type MaybePromise, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { StreamedText } from '../../../plugins/shared/text/streamed-text.ts';
import { namedSecret } from './named-secret.ts';

/** Bytes of a signature, by algorithm. */
const sizes = { sha256: 32, sha512: 64, sha1: 20, md5: 16, 'sha3-256': 32 } as const;

interface HmacParameters {
  readonly text: StreamedText;
  readonly secret_name: string;
  readonly algorithm: keyof typeof sizes;
}

/** Returns the HMAC (RFC 2104) of a text in UTF-8, with a named secret in UTF-8 as the key. */
export function sign(
  { output, ...parameters }: HmacParameters & { readonly output: 'hex' | 'base64' },
  context: FunctionContext,
): MaybePromise<{ readonly signature: string }> {
  return after(hmac(parameters, context), (digest) => ({ signature: digest.toString(output) }));
}

/** Compares in constant time. Throws INVALID_PARAMETERS for a text that cannot be a signature of this algorithm. */
export function verify(
  { signature, ...parameters }: HmacParameters & { readonly signature: string },
  context: FunctionContext,
): MaybePromise<{ readonly valid: boolean }> {
  const given = signatureBytes(signature.trim(), parameters.algorithm);
  return after(hmac(parameters, context), (digest) => ({ valid: timingSafeEqual(given, digest) }));
}

function hmac({ text, secret_name, algorithm }: HmacParameters, context: FunctionContext): MaybePromise<Buffer> {
  const keyed = createHmac(algorithm, namedSecret(secret_name, context));
  return typeof text === 'string' ? keyed.update(text, 'utf8').digest() : digestOf(text, keyed);
}

async function digestOf(pieces: AsyncIterable<string>, keyed: Hmac): Promise<Buffer> {
  for await (const piece of pieces) keyed.update(piece, 'utf8');
  return keyed.digest();
}

/** The length tells hexadecimal from base64: no text has the right length for both. */
function signatureBytes(text: string, algorithm: keyof typeof sizes): Buffer {
  const size = sizes[algorithm];
  if (text.length === size * 2 && /^[0-9a-f]+$/i.test(text)) return Buffer.from(text, 'hex');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === size && /^[\w+/-]+={0,2}$/.test(text)) return bytes;
  const message = `expected ${size * 2} hexadecimal digits or ${Math.ceil((size * 8) / 6)} base64 characters and padding, received ${text.length} characters`;
  const advice = /^[\w-]+=[^=]/.test(text)
    ? 'Leave out a prefix such as "sha256=".'
    : 'Give all of it, and the algorithm that it was made with.';
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "signature" cannot be an HMAC with ${algorithm}: ${message}. ${advice}`, {
    issues: [{ path: 'signature', message }],
  });
}

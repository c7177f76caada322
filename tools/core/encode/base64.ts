import { ToolkitError } from '../../../kernel/index.ts';
import { firstNonUtf8 } from '../../../plugins/shared/text/utf8.ts';
import { refuseNonBase64 } from './base64-syntax.ts';
import { malformed, refuseHalfSurrogates } from './malformed.ts';

type ByteEncoding = 'utf8' | 'hex' | 'latin1';

interface EncodeParameters {
  readonly text: string;
  readonly url_safe: boolean;
  readonly input_encoding: ByteEncoding;
}

/** Encodes bytes as base64 (RFC 4648, 4), or base64url (5) without padding. Throws INVALID_PARAMETERS for a text that is invalid in its encoding. */
export function encode({ text, url_safe, input_encoding }: EncodeParameters): { encoded: string } {
  checks[input_encoding](text);
  return { encoded: Buffer.from(text, input_encoding).toString(url_safe ? 'base64url' : 'base64') };
}

const checks: Readonly<Record<ByteEncoding, (text: string) => void>> = {
  utf8: (text) => refuseHalfSurrogates({ parameter: 'text', text }),
  latin1: (text) => {
    const index = text.search(/[^\0-\xFF]/);
    const advice = 'Latin-1 has no others. Set input_encoding to "utf8" for text.';
    if (index >= 0) throw malformed({ parameter: 'text', text }, index, 'a character up to U+00FF', advice);
  },
  hex: (text) => {
    const index = text.search(/[^\da-fA-F]/);
    const advice = 'Give two digits for each byte and nothing between them, or set input_encoding to "utf8" for text.';
    const isOdd = index < 0 && text.length % 2 === 1;
    if (index >= 0 || isOdd) throw malformed({ parameter: 'text', text }, isOdd ? text.length : index, 'a hexadecimal digit', advice);
  },
};

interface DecodeParameters {
  readonly encoded: string;
  readonly output_encoding: ByteEncoding;
}

/**
 * Decodes base64 or base64url. Skips white space; padding is optional. Throws INVALID_PARAMETERS for anything else, and for bytes that are not
 * UTF-8 when text is wanted.
 */
export function decode({ encoded, output_encoding }: DecodeParameters): { text: string; bytes: number } {
  refuseNonBase64(encoded);
  const bytes = Buffer.from(encoded, 'base64');
  const wrong = output_encoding === 'utf8' ? firstNonUtf8(bytes) : undefined;
  if (wrong !== undefined) throw notUtf8(bytes, wrong);
  return { text: bytes.toString(output_encoding), bytes: bytes.length };
}

function notUtf8(bytes: Buffer, index: number): ToolkitError {
  const byte = bytes.toString('hex', index, index + 1);
  const message = `stands for bytes that are no text in UTF-8: byte ${index + 1} of ${bytes.length}, 0x${byte}, cannot be there`;
  const advice = 'Set output_encoding to "hex" for binary data, or to "latin1" for text in that encoding.';
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "encoded" ${message}. ${advice}`, {
    issues: [{ path: 'encoded', message }],
    bytePosition: index + 1,
  });
}

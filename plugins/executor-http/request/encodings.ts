import { createHash } from 'node:crypto';
import { asText, describeValue, type Encoding, ToolkitError, writeMarked } from '../../../kernel/index.ts';
import { mimeMessage } from './mime-message.ts';
import { pairsOf } from './pairs.ts';

/**
 * The built-in encodings of `parameter_encoding`. JSON and base64 encode one source as it is, and several as an object of
 * their names.
 */
export const encodings: Readonly<Record<string, Encoding>> = {
  mime_rfc2822_base64url: mimeMessage,
  /** JSON without spaces. `options.ascii`: true writes characters beyond ASCII as `\uXXXX`, for a header. */
  json_compact: (values, { ascii }) => {
    const text = writeMarked(singleOrAll(values));
    return ascii === true ? text?.replace(/[^\0-\x7f]/g, escapeUnit) : text;
  },
  /** `name=value` pairs; a list becomes a repeated name. */
  url_encoded: (values) => new URLSearchParams(pairsOf(values)).toString(),
  base64: (values) => Buffer.from(asText(singleOrAll(values)), 'utf8').toString('base64'),
  /**
   * A digest of one value, in hex: `options.algorithm` is md5, sha1, sha256 or sha512. `trim` and `lower_case` change the value
   * first. A value that does not match the pattern `only` (ECMA-262) stays as it is.
   */
  hash: (values, { algorithm, trim, lower_case: lowerCase, only }) => {
    const text = asText(singleOrAll(values));
    if (typeof only === 'string' && !new RegExp(only, 'u').test(text)) return text;
    const trimmed = trim === true ? text.trim() : text;
    return createHash(requireAlgorithm(algorithm))
      .update(lowerCase === true ? trimmed.toLowerCase() : trimmed)
      .digest('hex');
  },
  /** One line of CSV (RFC 4180). `options.separator`: default a comma. */
  csv: (values, { separator = ',' }) =>
    Object.values(values)
      .flat()
      .map((value) => csvField(asText(value), String(separator)))
      .join(String(separator)),
};

/** Encodings that write each value by `asText` or `writeMarked`, so that integers beyond ±(2^53−1) may be passed marked. */
export const exactEncodings: readonly string[] = ['json_compact', 'url_encoded', 'base64', 'hash', 'csv'];

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;

function requireAlgorithm(option: unknown): string {
  const known = algorithms.find((algorithm) => algorithm === option);
  if (known !== undefined) return known;
  throw new ToolkitError(
    'TOOL_INVALID',
    `parameter_encoding hash needs options.algorithm, one of ${algorithms.join(', ')}; received ${describeValue(option)}. Correct the definition.`,
  );
}

function singleOrAll(values: Readonly<Record<string, unknown>>): unknown {
  const members = Object.values(values);
  return members.length === 1 ? members[0] : values;
}

/** Returns a UTF-16 unit as JSON escapes it (RFC 8259, 7). */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function csvField(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

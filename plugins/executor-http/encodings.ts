import { asText, type Encoding } from '../../kernel/index.ts';
import { pairsOf } from './body.ts';
import { mimeMessage } from './mime-message.ts';

/** The built-in names for `parameter_encoding`. For JSON and base64 one source is encoded as it is, several as an object of their names. */
export const encodings: Readonly<Record<string, Encoding>> = {
  mime_rfc2822_base64url: mimeMessage,
  json_compact: (values) => JSON.stringify(single(values)),
  /** `name=value` pairs; a list becomes a repeated name. */
  url_encoded: (values) => new URLSearchParams(pairsOf(values)).toString(),
  base64: (values) => Buffer.from(asText(single(values)), 'utf8').toString('base64'),
  /** One line of RFC 4180; `options.separator`, default a comma. */
  csv: (values, { separator = ',' }) =>
    Object.values(values)
      .flat()
      .map((value) => csvField(asText(value), String(separator)))
      .join(String(separator)),
};

function single(values: Readonly<Record<string, unknown>>): unknown {
  const members = Object.values(values);
  return members.length === 1 ? members[0] : values;
}

function csvField(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

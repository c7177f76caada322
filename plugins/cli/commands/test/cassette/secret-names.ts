/** Names of headers and members that hold a credential, also as the end of a longer name (`X-Shop-Access-Token`). */
const namePattern =
  '(?:proxy[-_ ]?)?authorization|set[-_ ]?cookie2?|cookie|x[-_ ]?api[-_ ]?key|x[-_ ]?auth[-_ ]?token|(?:access|refresh|id)[-_ ]?token|client[-_ ]?secret';

const nameAtEnd = new RegExp(`(?:^|[^a-z0-9])(${namePattern})$`, 'i');

/** Names whose value takes the rest of the line, spaces included. */
const lineNames = '(?:proxy-)?authorization|set-cookie2?|cookie|x-api-key|x-auth-token';

/**
 * Returns the name that replaces the value in a cassette; undefined when the name is not that of a credential. `idToken` and `--id-token`
 * count as `id_token`.
 */
export function secretNameOf(name: string): string | undefined {
  const found = nameAtEnd.exec(name.trim().replace(/([a-z0-9])([A-Z])/g, '$1_$2'))?.[1];
  return found?.toLowerCase().replace(/[- ]/g, '_');
}

/**
 * Patterns of a credential in a text, with four groups: text before, name, separator, value. Names may be in quotes that are escaped
 * any number of times, as in JSON inside JSON.
 */
export const credentialPatterns: readonly RegExp[] = [
  // A header line, also as an argument of curl.
  new RegExp(`(^|[\\s"'\`,{(])(${lineNames})(\\\\*["']?\\s*:\\s*(?:\\\\*["'])?)([^\\r\\n"'\\\\]+)`, 'gim'),
  // `name=value` and `name: value`, with the scheme of an Authorization header.
  new RegExp(
    `(^|[^a-z0-9])(${namePattern})(\\\\*["']?\\s*[=:]\\s*(?:\\\\*["'])?(?:(?:bearer|basic|token)\\s+)?)([^\\s"'&;,<>\\\\)}\\]]+)`,
    'gi',
  ),
  // An XML element.
  new RegExp(`(<(?:[\\w.-]+:)?)(${namePattern})((?:\\s[^<>]*)?>\\s*)([^<\\s][^<]*)`, 'gi'),
  // A part of a multipart body.
  new RegExp(`(name="?)(${namePattern})("?[^\\r\\n]*\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n)([^\\r\\n]+)`, 'gi'),
  // A credential with its scheme anywhere. It must contain a digit, which words of a sentence do not.
  /((?:^|[^\w]))(bearer|basic)(\s+)((?=[^\s"'<>]*\d)[A-Za-z0-9._~+/=-]{8,})/gi,
];

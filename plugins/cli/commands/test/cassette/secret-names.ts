/** Names of headers and members whose values prove who calls, at the end of a longer name as well (`X-Shop-Access-Token`). */
const words =
  '(?:proxy[-_ ]?)?authorization|set[-_ ]?cookie2?|cookie|x[-_ ]?api[-_ ]?key|x[-_ ]?auth[-_ ]?token|(?:access|refresh|id)[-_ ]?token|client[-_ ]?secret';

const whole = new RegExp(`(?:^|[^a-z0-9])(${words})$`, 'i');

/** Those that stand for a whole line, with blanks in it. */
const lines = '(?:proxy-)?authorization|set-cookie2?|cookie|x-api-key|x-auth-token';

/** Returns the name that a value of such a name has in a cassette; undefined for a name of anything else. `idToken` and `--id-token` are names as `id_token` is. */
export function secretNameOf(name: string): string | undefined {
  const found = whole.exec(name.trim().replace(/([a-z0-9])([A-Z])/g, '$1_$2'))?.[1];
  return found?.toLowerCase().replace(/[- ]/g, '_');
}

/**
 * Patterns of such a name and its value in a text: what stands before, the name, what is between, the value. Names may be in quotes that are escaped any number of
 * times, as in JSON inside JSON.
 */
export const namedTexts: readonly RegExp[] = [
  // A header line, also as an argument of curl.
  new RegExp(`(^|[\\s"'\`,{(])(${lines})(\\\\*["']?\\s*:\\s*(?:\\\\*["'])?)([^\\r\\n"'\\\\]+)`, 'gim'),
  // `name=value` and `name: value`, with the scheme of an Authorization.
  new RegExp(`(^|[^a-z0-9])(${words})(\\\\*["']?\\s*[=:]\\s*(?:\\\\*["'])?(?:(?:bearer|basic|token)\\s+)?)([^\\s"'&;,<>\\\\)}\\]]+)`, 'gi'),
  // An element of XML.
  new RegExp(`(<(?:[\\w.-]+:)?)(${words})((?:\\s[^<>]*)?>\\s*)([^<\\s][^<]*)`, 'gi'),
  // A part of a multipart body.
  new RegExp(`(name="?)(${words})("?[^\\r\\n]*\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n)([^\\r\\n]+)`, 'gi'),
  // A credential with its scheme, wherever it stands; words of a sentence have no digit.
  /((?:^|[^\w]))(bearer|basic)(\s+)((?=[^\s"'<>]*\d)[A-Za-z0-9._~+/=-]{8,})/gi,
];

import { isSecretName } from '../../../kernel/index.ts';

/** Names of credentials beside those of the naming rule for placeholders. */
const otherNames = /PASSW|PASSPHRASE|PWD$|COOKIE|BEARER|SESSION|SIGNATURE|WEBHOOK|DSN|CONNECTION_?STRING|^PAT$|_PAT$/;

/** Headers that say nothing about the user. */
const plainHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'mcp-protocol-version', 'cache-control']);

/** Beginnings of tokens that services give out. */
const tokenPrefix =
  /\b(sk-|pk_|rk_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|xapp-|ya29\.|AKIA|ASIA|AIza|eyJ|SG\.|shp[a-z]{2}_|dop_v1_|npm_|hf_|ntn_|secret_|lin_api_|figd_|pypi-|sbp_|tvly-|re_|BSA)[\w-]{6,}/;

/** True for an environment variable whose value goes to the store, by its name or the look of its value. */
export function isSecretVariable(name: string, value: string): boolean {
  if (value === '' || isHarmless(value)) return false;
  return hasSecretName(name) || looksSecret(value);
}

/** True for a header whose value goes to the store: all but those that are known to be plain. */
export function isSecretHeader(name: string, value: string): boolean {
  return value !== '' && (!plainHeaders.has(name.toLowerCase()) || looksSecret(value));
}

/** True for a name of a credential, such as `API_KEY` or `sessionCookie`. */
export function hasSecretName(name: string): boolean {
  return isSecretName(name) || otherNames.test(name.toUpperCase());
}

/** True for a text that holds a token, a password in an address, or a long mixture of letters and digits. */
export function looksSecret(text: string): boolean {
  if (tokenPrefix.test(text) || /-----BEGIN/.test(text) || /\/\/[^/?#\s]*:[^/?#\s]+@/.test(text)) return true;
  if (/\b(bearer|basic|token)\s+\S{6,}/i.test(text)) return true;
  return text.split(/[^\w+=-]+/).some(isRandomWord);
}

/** True for a word of 20 characters or more that is no words with separators: it mixes digits and letters throughout. */
function isRandomWord(word: string): boolean {
  if (word.length < 20) return false;
  // A UUID names things as often as it opens them: in a setting it counts as a key.
  const changes = word.match(/\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/g)?.length ?? 0;
  return changes >= 4 && changes * 8 >= word.length;
}

/** True for values that no credential has. */
function isHarmless(value: string): boolean {
  return /^(true|false|yes|no|on|off|none|null|\d{1,4})$/i.test(value);
}

/** A user name, a password or a token in an address (RFC 3986, 3.2.1). */
const userInformation = /([a-z][a-z0-9+.-]*:\/\/)[^\s/'"?#]*@/gi;

/** Text of git without the credentials that addresses of remotes may hold. Mask first, then take an excerpt. */
export function shown(text: string): string {
  return text.replace(userInformation, '$1');
}

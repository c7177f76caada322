/** User name, password or token in an address (RFC 3986, 3.2.1). */
const userInformation = /([a-z][a-z0-9+.-]*:\/\/)[^\s/'"?#]*@/gi;

/** Removes credentials in addresses from a text of git. Mask first, then take an excerpt. */
export function maskCredentials(text: string): string {
  return text.replace(userInformation, '$1');
}

/** Maximum length of a URI in an attribute. */
const maxCharacters = 200;

/** Returns the URI of a resource as a span shows it, without user name, query and fragment: these are for its server alone. Mask it first. */
export function shownUri(uri: string): string {
  const [place = ''] = uri.split(/[?#]/, 1);
  return place
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1')
    .slice(0, maxCharacters)
    .toWellFormed();
}

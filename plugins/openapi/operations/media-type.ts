/** Returns a media type without parameters, in lower case. Undefined for a text that is none. Ranges such as `*\/*` are kept. */
export function mediaTypeOf(text: string): string | undefined {
  const type = (text.split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type) ? type : undefined;
}

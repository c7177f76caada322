/** Percent-encodes one text of a value. */
export type Encode = (text: string) => string;

/** Percent-encodes by RFC 3986: `encodeURIComponent` leaves `!'()*`, which have a meaning for some servers. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, percentOf);
}

/** Returns an encoder that leaves `kept`, ASCII characters, as they are. */
export function encodeExcept(kept: string): Encode {
  return (text) =>
    encodeText(text).replace(/%[0-7][0-9A-F]/g, (triple) => {
      const character = decodeURIComponent(triple);
      return kept.includes(character) ? character : triple;
    });
}

/** Returns `characters` percent-encoded, for ASCII ones that encoding leaves. */
export function percentOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

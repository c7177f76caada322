/** 1 for ASCII letters and digits. */
const isAlphanumeric = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0));

/**
 * Returns only the ASCII letters and digits: base64 in lines, or hexadecimal bytes with separators, become one string. Overwrites `scratch`,
 * because a new buffer for each short text would cost more than the rest.
 */
export function squeezeText(text: string, scratch: Buffer): string {
  return text.length <= scratch.length ? squeezeShort(text, scratch) : squeezeLong(text);
}

function squeezeShort(text: string, scratch: Buffer): string {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    scratch[length] = code;
    length += code < 128 ? (isAlphanumeric[code] as number) : 0;
  }
  return length === text.length ? text : scratch.toString('latin1', 0, length);
}

function squeezeLong(text: string): string {
  const units = unitsOf(text);
  let length = 0;
  // Every unit is written, and the next one overwrites it unless it counts: a branch would cost more.
  for (let index = 0; index < units.length; index++) {
    const code = units[index] as number;
    units[length] = code;
    length += code < 128 ? (isAlphanumeric[code] as number) : 0;
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

/** Returns the index in the text of each character that `squeezeText` returns. */
export function squeezedIndexes(text: string): Uint32Array {
  const places = new Uint32Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    places[length] = index;
    length += code < 128 ? (isAlphanumeric[code] as number) : 0;
  }
  return places.subarray(0, length);
}

/** Returns the UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}

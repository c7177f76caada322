import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { excerpt, Failure } from '../shared/failure.ts';
import type { InputFile } from './open-input.ts';

/** Maximum length of a text, in characters: it is in memory as a whole. */
const maxCharacters = 128 * 1024 * 1024;

/**
 * Returns the text of a file, plain or as gzip, without a byte order mark. Throws INVALID_PARAMETERS for bytes that are invalid
 * in the encoding.
 */
export async function decodedText(file: InputFile, isGzip: boolean, encoding: string): Promise<string> {
  const bytes = file.handle.createReadStream({ start: 0, autoClose: false });
  const decoder = new TextDecoder(encoding, { fatal: true });
  let text = '';
  try {
    for await (const chunk of isGzip ? bytes.pipe(createGunzip()) : bytes) {
      text += decoder.decode(chunk as Buffer, { stream: true });
      if (text.length > maxCharacters) throw tooLong(file);
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('INVALID_PARAMETERS', `"${excerpt(file.name)}" is not ${encoding}. Name its encoding in "encoding".`);
  }
}

/**
 * Returns the standard name of an encoding: the given one, else that of a byte order mark, else utf-8. Throws
 * INVALID_PARAMETERS.
 */
export async function encodingOf({ handle }: InputFile, given: string | undefined): Promise<string> {
  const mark = Buffer.alloc(2);
  await handle.read(mark, 0, 2, 0);
  if (given === undefined)
    return mark.equals(Buffer.from([0xff, 0xfe])) ? 'utf-16le' : mark.equals(Buffer.from([0xfe, 0xff])) ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(given).encoding;
  } catch {
    throw new Failure(
      'INVALID_PARAMETERS',
      `Unknown encoding "${excerpt(given, 50)}". Expected a name such as utf-8, windows-1252, iso-8859-1 or shift_jis.`,
    );
  }
}

function tooLong({ name }: InputFile): Failure {
  return new Failure(
    'INVALID_PARAMETERS',
    `"${excerpt(name)}" has more than ${maxCharacters} characters, which is the most for lines and for this encoding. Divide it, or save it as UTF-8.`,
  );
}

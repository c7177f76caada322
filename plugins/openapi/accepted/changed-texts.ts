import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../../kernel/index.ts';
import type { AcceptedCopy } from '../../shared/lock/accepted-copy.ts';
import { isInside } from '../../shared/project/is-inside.ts';
import { decodeUtf8 } from '../../shared/text/utf8.ts';
import { isUrl, locationOf } from '../location.ts';
import type { DocumentSource } from '../options.ts';

/** Returns a sentence for each file of the operator that differs from the accepted text. A URL is not compared: nothing is fetched. */
export async function changedTexts(copy: AcceptedCopy, { document, overlay }: DocumentSource, folder: string): Promise<readonly string[]> {
  const compared = [...(isUrl(document) ? [] : localTexts(copy, document, folder)), ...overlayText(copy, overlay, folder)];
  const changes = await Promise.all(compared.map(async ({ file, shown, text }) => (await isSame(file, text)) ?? `${shown} has changed`));
  return changes.filter((change) => change !== '');
}

interface Compared {
  readonly file: string;
  readonly shown: string;
  readonly text: string;
}

function localTexts(copy: AcceptedCopy, document: string, folder: string): readonly Compared[] {
  const main = locationOf(document, folder);
  const home = path.dirname(main);
  return [...copy.files].flatMap(([name, text]) => {
    const file = name === copy.document ? main : path.resolve(home, name);
    // The copy comes with a repository: it must not name other files.
    return isInside(file, home) ? [{ file, shown: path.relative(folder, file), text }] : [];
  });
}

function overlayText({ overlay: accepted }: AcceptedCopy, overlay: string | undefined, folder: string): readonly Compared[] {
  if (overlay === undefined)
    return accepted === undefined ? [] : [{ file: '', shown: 'The overlay (it is no longer named)', text: accepted }];
  return [{ file: path.resolve(folder, overlay), shown: overlay, text: accepted ?? '' }];
}

/** Returns an empty text for the same content, a sentence when it cannot be read, undefined for a difference. */
async function isSame(file: string, text: string): Promise<string | undefined> {
  if (file === '') return undefined;
  try {
    return decodeUtf8(await readFile(file)).text === text ? '' : undefined;
  } catch (error) {
    return `${file} cannot be read: ${messageOf(error)}`;
  }
}

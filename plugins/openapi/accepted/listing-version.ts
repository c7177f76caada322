import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type DocumentEntry, documentsSection } from '../../shared/lock/documents-section.ts';
import { build } from '../../shared/project/build.ts';
import { decodeUtf8 } from '../../shared/text/utf8.ts';
import type { SourceTexts } from '../loaded-source.ts';
import type { DocumentSource } from '../options.ts';
import type { AcceptedSource } from './accepted-source.ts';

/** A reference that may lead to another file: `$ref` with anything but a place in the same document. */
const otherFile = /\$ref["']?\s*:\s*(?!\s|["']?#)/;

/**
 * Returns a text that changes with the listing of a source: of all its texts, its options and this program. Undefined where the texts are not known
 * before the document is read: a local one that nobody accepted and that may refer to other files.
 */
export async function listingVersion(
  { texts, entry, differences }: AcceptedSource,
  name: string,
  source: DocumentSource,
  accountToken = '',
): Promise<string | undefined> {
  const content = entry === undefined ? await ownContent(texts) : acceptedContent(entry);
  if (content === undefined || build === undefined) return undefined;
  const hash = createHash('sha256');
  for (const part of [build, name, JSON.stringify(source), accountToken, texts.location, content, ...differences])
    hash.update(`${part.length}:${part}`);
  return hash.digest('hex');
}

function acceptedContent(entry: DocumentEntry): string {
  return JSON.stringify(documentsSection.format(entry));
}

async function ownContent({ location, overlay }: SourceTexts): Promise<string | undefined> {
  try {
    const { text } = decodeUtf8(await readFile(location));
    if (otherFile.test(text)) return undefined;
    const changes = typeof overlay === 'string' ? decodeUtf8(await readFile(overlay)).text : '';
    return `${text.length}:${text}${changes}`;
  } catch {
    // Reading the document says why.
    return undefined;
  }
}

import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { type AcceptedCopy, readCopy } from '../../shared/lock/accepted-copy.ts';
import { type DocumentEntry, documentsSection } from '../../shared/lock/documents-section.ts';
import { readSection } from '../../shared/lock/lock-file.ts';
import type { SourceTexts } from '../loaded-source.ts';
import { isUrl, locationOf } from '../location.ts';
import type { DocumentSource } from '../options.ts';
import { changedTexts } from './changed-texts.ts';

/** The texts of a source, and what was accepted of it. */
export interface AcceptedSource {
  readonly texts: SourceTexts;
  /** @default nothing is accepted: a local document that holds as it is saved */
  readonly entry?: DocumentEntry;
  /** Differences between the files of the operator and what was accepted, each a sentence. */
  readonly differences: readonly string[];
}

/**
 * Returns the texts from which a source is served: the accepted copy where `toolkit.lock` has an entry, otherwise the local document. Throws
 * CONFIG_INVALID for a URL without an entry, and for a copy that is not the accepted one.
 */
export async function acceptedSource(name: string, source: DocumentSource, folder: string): Promise<AcceptedSource> {
  const entry = (await readSection(folder, documentsSection)).get(name);
  if (entry === undefined) {
    if (isUrl(source.document)) throw notAccepted(name, source.document);
    return { texts: ownTexts(source, folder), differences: [] };
  }
  const copy = await readCopy(folder, name, entry.digest);
  const differences = entry.document === source.document ? await changedTexts(copy, source, folder) : [namesOther(source, entry)];
  return { texts: textsOfCopy(copy, entry, folder), entry, differences };
}

/** Returns the texts of the operator's own files. */
export function ownTexts({ document, overlay }: DocumentSource, folder: string): SourceTexts {
  return { location: locationOf(document, folder), ...(overlay === undefined ? {} : { overlay: path.resolve(folder, overlay) }) };
}

function textsOfCopy(copy: AcceptedCopy, { document }: DocumentEntry, folder: string): SourceTexts {
  const location = locationOf(document, folder);
  const at = (name: string): string => (isUrl(location) ? name : path.resolve(path.dirname(location), name));
  return {
    location,
    texts: new Map([...copy.files].map(([name, text]) => [name === copy.document ? location : at(name), text])),
    ...(copy.overlay === undefined ? {} : { overlay: { location: 'the accepted overlay', text: copy.overlay } }),
  };
}

function notAccepted(name: string, document: string): ToolkitError {
  const message = `The document of the source "${name}" is a URL (${document.slice(0, 200)}), and toolkit.lock has no entry for it: nothing is fetched by itself. Look at it and accept it: toolkit openapi update ${name}`;
  return new ToolkitError('CONFIG_INVALID', message);
}

function namesOther({ document }: DocumentSource, entry: DocumentEntry): string {
  return `the configuration names the document ${document.slice(0, 200)}, and ${entry.document.slice(0, 200)} was accepted`;
}

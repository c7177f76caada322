import path from 'node:path';
import { type AcceptedCopy, digestOfCopy, writeCopy } from '../../shared/lock/accepted-copy.ts';
import { type DocumentEntry, documentsSection } from '../../shared/lock/documents-section.ts';
import { changeSection } from '../../shared/lock/lock-file.ts';
import { keyOfOperation } from '../generate/operation-key.ts';
import type { LoadedSource } from '../loaded-source.ts';
import { isUrl, locationOf } from '../location.ts';
import type { DocumentSource } from '../options.ts';
import { operationDigests } from './operation-digests.ts';
import { hostsOfTool } from './tool-hosts.ts';

/** Writes the entry of a source and its copy, both as the document is now. */
export async function accept(folder: string, name: string, source: DocumentSource, loaded: LoadedSource): Promise<void> {
  const entry = entryOf(folder, source, loaded);
  await changeSection(folder, documentsSection, async (entries) => {
    await writeCopy(folder, name, copyOf(folder, source, loaded));
    return new Map(entries).set(name, entry);
  });
}

/** Returns the entry that accepts a document as it is loaded. */
export function entryOf(folder: string, source: DocumentSource, loaded: LoadedSource): DocumentEntry {
  const { generated } = loaded;
  const digests = operationDigests(generated);
  const operations = generated.tools.map(({ definition, operation }) => {
    const key = keyOfOperation(operation);
    return [key, { tool: String(definition['name']), digest: digests.get(key) ?? '' }] as const;
  });
  return {
    document: source.document,
    digest: digestOfCopy(copyOf(folder, source, loaded)),
    hosts: [...new Set(generated.tools.flatMap((tool) => hostsOfTool(tool, generated)))].sort(),
    operations: new Map(operations),
  };
}

function copyOf(folder: string, { document }: DocumentSource, { texts, overlay }: LoadedSource): AcceptedCopy {
  const main = locationOf(document, folder);
  const nameOf = (location: string): string =>
    isUrl(main) ? location : path.relative(path.dirname(main), location).split(path.sep).join('/');
  return {
    document: nameOf(main),
    files: new Map([...texts].map(([location, text]) => [nameOf(location), text])),
    ...(overlay === undefined ? {} : { overlay }),
  };
}

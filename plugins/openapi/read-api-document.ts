import { type OpenedDocument, type OpenOptions, openDocument } from './document/open-document.ts';
import type { ApiDocument } from './operations/operation.ts';
import { readOperations } from './operations/read-operations.ts';

/** A document with its operations, and its resolver for their schemas. */
export interface ReadDocument {
  readonly document: ApiDocument;
  readonly opened: OpenedDocument;
}

/** Opens a document and reads its operations. Throws CONFIG_INVALID for a document or overlay that cannot be read at all. */
export async function readApiDocument(options: OpenOptions): Promise<ReadDocument> {
  const opened = await openDocument(options);
  return { opened, document: await readOperations(opened) };
}

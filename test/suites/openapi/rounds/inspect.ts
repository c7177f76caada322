import { DescribedDocument } from '../decoder/described-operation.ts';
import type { DocumentFile } from '../documents/folders.ts';
import { generate } from './generate.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export interface Inspected {
  /** Operations of the document, counted without the reader. */
  readonly operations: number;
  readonly tools: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Notes of tools: losses and proposals. */
  readonly notes: number;
  /** Tools with at least one note. */
  readonly noted: number;
  /** Bytes of the shared schemas as JSON. */
  readonly schemaBytes: number;
  readonly isNameUnique: boolean;
}

/** Reads a document and generates its tools. */
export async function run({ file }: DocumentFile): Promise<Inspected> {
  // A document without servers is inspected as well.
  const { source } = await generate(file, { server: 'https://api.example' });
  const skipped: Record<string, number> = {};
  for (const { reason } of source.skipped) skipped[reason] = (skipped[reason] ?? 0) + 1;
  const names = new Set(source.tools.map(({ definition }) => definition['name']));
  return {
    operations: countOperations(DescribedDocument.read(file)),
    tools: source.tools.length,
    skipped,
    notes: source.tools.reduce((sum, { notes }) => sum + notes.length, 0),
    noted: source.tools.filter(({ notes }) => notes.length > 0).length,
    schemaBytes: JSON.stringify(source.provider['$defs'] ?? {}).length,
    isNameUnique: names.size === source.tools.length,
  };
}

function countOperations(document: DescribedDocument): number {
  const paths = document.at(document.root['paths']);
  return Object.keys(paths)
    .filter((path) => !path.startsWith('x-'))
    .reduce((sum, path) => sum + methods.filter((method) => typeof document.at(paths[path])[method] === 'object').length, 0);
}

import { generateSource } from '../../../../plugins/openapi/generate/generate-source.ts';
import type { GeneratedSource } from '../../../../plugins/openapi/generate/generated.ts';
import type { ApiDocument } from '../../../../plugins/openapi/operations/operation.ts';
import type { DocumentSource } from '../../../../plugins/openapi/options.ts';
import { readApiDocument } from '../../../../plugins/openapi/read-api-document.ts';
import { createSchemaConverter } from '../../../../plugins/openapi/schemas/create-schema-converter.ts';

export interface Generated {
  readonly document: ApiDocument;
  readonly source: GeneratedSource;
  /** Notes about schemas that had to change. */
  readonly schemaNotes: readonly string[];
}

/** Reads a document and generates its tools, as a source of a configuration does. */
export async function generate(file: string, options: Partial<DocumentSource> = {}, name = 'api'): Promise<Generated> {
  const { document, opened } = await readApiDocument({ location: file, overlay: options.overlay });
  const schemas = createSchemaConverter({ resolver: opened.resolver, dialect: document.dialect, base: opened.location });
  const generated = generateSource({ name, document, schemas, source: { document: file, ...options } });
  return { document, source: generated, schemaNotes: schemas.notes };
}

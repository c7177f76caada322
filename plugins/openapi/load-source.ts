import { generateSource } from './generate/generate-source.ts';
import type { LoadedSource, LoadRequest } from './loaded-source.ts';
import { readApiDocument } from './read-api-document.ts';
import { createSchemaConverter } from './schemas/create-schema-converter.ts';
import { xmlExample } from './schemas/xml-example.ts';

/** Makes the tools of a document. Throws CONFIG_INVALID for a document or an overlay that cannot be read at all. */
export async function loadSource({
  name,
  source,
  location,
  texts,
  overlay,
  names,
  accountToken,
  signal,
}: LoadRequest): Promise<LoadedSource> {
  const { document, opened } = await readApiDocument({ location, texts, onlyTexts: texts !== undefined, overlay, signal });
  const schemas = createSchemaConverter({ resolver: opened.resolver, dialect: document.dialect, base: opened.location });
  const generated = generateSource({
    ...{ name, document, schemas, source, names },
    ...(accountToken === undefined ? {} : { accountToken }),
    xmlExample: ({ schema }) => (schema === undefined ? undefined : xmlExample(schema, opened.resolver)),
  });
  return {
    document,
    generated,
    schemas,
    texts: opened.texts,
    ...(opened.overlayText === undefined ? {} : { overlay: opened.overlayText }),
    unmatched: opened.unmatched,
    notes: opened.notes,
  };
}

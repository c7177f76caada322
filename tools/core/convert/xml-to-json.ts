import type { JsonValue } from '../../../kernel/index.ts';
import { badText } from '../json/bad-text.ts';
import { checkDocument, nestedTooDeeply } from '../json/check-document.ts';
import type { XmlNames } from './xml-element.ts';
import { XmlReader } from './xml-reader.ts';

interface XmlParameters extends XmlNames {
  readonly text: string;
}

/** XML as JSON. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export async function xmlToJson({ text: given, ...names }: XmlParameters): Promise<{ readonly data: JsonValue }> {
  const { XMLValidator } = await import('fast-xml-parser');
  // One line end for all (XML 1.0, 2.11).
  const text = given.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const checked = XMLValidator.validate(text);
  if (checked !== true) {
    const { msg, line, col } = checked.err;
    throw badText('XML', msg, { line, column: col ?? 1 });
  }
  try {
    const data = new XmlReader(text, names).read();
    checkDocument(data, { parameter: 'text', advice: 'Convert a part of it.' });
    return { data };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('text') : error;
  }
}

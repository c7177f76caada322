import type { JsonValue } from '../../../kernel/index.ts';
import { badText, positionAt } from '../json/bad-text.ts';
import { checkDocument, nestedTooDeeply } from '../json/check-document.ts';
import { readXml } from './read-xml.ts';
import type { XmlNames } from './xml-element.ts';
import type { XmlProblem } from './xml-problem.ts';
import { XmlReader } from './xml-reader.ts';

interface XmlParameters extends XmlNames {
  readonly text: string;
}

/** Converts XML to JSON. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export function xmlToJson({ text: rawText, ...names }: XmlParameters): { readonly data: JsonValue } {
  const text = rawText.replace(/^\uFEFF/, '');
  const refuse = ({ problem, at }: XmlProblem): never => {
    throw badText('XML', problem, positionAt(text, at));
  };
  const reader = new XmlReader(names, refuse);
  try {
    readXml(text, reader, refuse);
    const { data } = reader;
    checkDocument(data, { parameter: 'text', advice: 'Convert a part of it.' });
    return { data };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('text') : error;
  }
}

import type { JsonValue } from '../../../kernel/index.ts';
import { badText, positionAt } from '../json/bad-text.ts';
import { checkDocument, maxDocumentDepth, nestedTooDeeply } from '../json/check-document.ts';
import { readXml } from './read-xml.ts';
import { elementValue, type XmlNames } from './xml-element.ts';
import type { XmlProblem } from './xml-problem.ts';

interface XmlParameters extends XmlNames {
  readonly text: string;
}

/** Converts XML to JSON. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export function xmlToJson({ text: rawText, ...names }: XmlParameters): { readonly data: JsonValue } {
  const { root, text } = readXml(rawText.replace(/^\uFEFF/, ''), { maxDepth: maxDocumentDepth, refuse });
  const value = elementValue(root, names, (name, at) =>
    refuse({ problem: `"${name}" would stand for two things in this element. Choose another attribute_prefix or text_key`, at }, text),
  );
  const data = Object.fromEntries([[root.name, value]]);
  checkDocument(data, { parameter: 'text', advice: 'Convert a part of it.' });
  return { data };
}

function refuse({ problem, at, unread }: XmlProblem, text: string): never {
  if (unread === 'depth') throw nestedTooDeeply('text', maxDocumentDepth);
  throw badText('XML', problem, positionAt(text, at));
}

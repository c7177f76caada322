import type { ScalarTag, Tags } from 'yaml';
import type { JsonValue } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { checkExact } from './exact-data.ts';

interface ToYamlParameters {
  readonly data: JsonValue;
  readonly indent: number;
}

/** Characters that YAML 1.1 takes for line ends, or does not allow outside of an escape. */
const toBeEscaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A block that begins with blank lines or spaces loses them, or does not end where it should. Without quotes `=` has a type of its own in
 * YAML 1.1, and some readers allow no tab.
 */
const misread = /^[ \n]|^=$|^.*\t/;

/** JSON as YAML that versions 1.1 and 1.2 read in the same way. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export async function jsonToYaml({ data, indent }: ToYamlParameters): Promise<{ readonly text: string }> {
  const { Document, visit } = await import('yaml');
  checkExact(data, 'data');
  const document = new Document(data, { compat: 'yaml-1.1', aliasDuplicateObjects: false, customTags: withPoints });
  visit(document, {
    Scalar(_, node) {
      // A block of lines needs an indentation, which the top level does not have in YAML 1.1.
      const { value } = node;
      if (typeof value !== 'string') return;
      if (node === document.contents || value.search(toBeEscaped) >= 0 || misread.test(value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ indent, lineWidth: 0 }).replace(toBeEscaped, escaped);
  if (text.length > maxDocumentCharacters) throw documentTooLarge('Convert parts of the data.');
  return { text };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** In YAML 1.1 a number with an exponent and without a decimal point is a text. */
function withPoints(tags: Tags): Tags {
  return tags.map((tag) => (isNumber(tag) ? { ...tag, stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e') } : tag));
}

function isNumber(tag: Tags[number]): tag is ScalarTag {
  const { tag: name, format } = tag as ScalarTag;
  return format === undefined && (name === 'tag:yaml.org,2002:float' || name === 'tag:yaml.org,2002:int');
}

import type { ScalarTag, Tags } from 'yaml';
import type { JsonValue } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { checkExact } from './exact-data.ts';

interface ToYamlParameters {
  readonly data: JsonValue;
  readonly indent: number;
}

/** Characters that YAML 1.1 takes for line ends, or allows in an escape only. */
const toBeEscaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Texts that need quotes. A block that begins with blank lines or spaces loses them, or ends in the wrong place. `=` without quotes has a
 * type of its own in YAML 1.1, and some readers refuse tabs.
 */
const needsQuotes = /^[ \n]|^=$|^.*\t/;

/** Converts JSON to YAML that versions 1.1 and 1.2 read alike. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export async function jsonToYaml({ data, indent }: ToYamlParameters): Promise<{ readonly text: string }> {
  const { Document, visit } = await import('yaml');
  checkExact(data, 'data');
  const document = new Document(data, { compat: 'yaml-1.1', aliasDuplicateObjects: false, customTags: withPoints });
  visit(document, {
    Scalar(_, node) {
      // A block scalar needs an indentation, and the top level has none in YAML 1.1.
      const { value } = node;
      if (typeof value !== 'string') return;
      if (node === document.contents || value.search(toBeEscaped) >= 0 || needsQuotes.test(value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ indent, lineWidth: 0 }).replace(toBeEscaped, escaped);
  if (text.length > maxDocumentCharacters) throw documentTooLarge('Convert parts of the data.');
  return { text };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Writes numbers with an exponent and a decimal point: without the point YAML 1.1 reads a text. */
function withPoints(tags: Tags): Tags {
  return tags.map((tag) => (isNumber(tag) ? { ...tag, stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e') } : tag));
}

function isNumber(tag: Tags[number]): tag is ScalarTag {
  const { tag: name, format } = tag as ScalarTag;
  return format === undefined && (name === 'tag:yaml.org,2002:float' || name === 'tag:yaml.org,2002:int');
}

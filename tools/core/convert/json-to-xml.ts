import { excerpt, type JsonObject, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { badData, checkExact } from './exact-data.ts';
import { isXmlName } from './xml-characters.ts';
import { XmlWriter } from './xml-writer.ts';

interface ToXmlParameters {
  readonly data: JsonObject;
  /** Name of the root element. @default the only name in the data */
  readonly root?: string;
  readonly indent: number;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** Converts a JSON object to XML 1.0. Throws INVALID_PARAMETERS for values that XML cannot hold, and OUTPUT_TOO_LARGE. */
export function jsonToXml({ data, root, indent }: ToXmlParameters): { readonly text: string } {
  checkExact(data, 'data');
  if (root !== undefined && !isXmlName(root)) throw badData('root', `is "${excerpt(root, 60)}", which is no name in XML. Choose another`);
  const writer = new XmlWriter(indent);
  if (root === undefined) writer.element(...onlyMember(data), 0);
  else writer.element(root, data, 'data', 0);
  return { text: `${declaration}\n${writer.text}\n` };
}

function onlyMember(data: JsonObject): readonly [name: string, value: JsonValue, path: string] {
  const [only, ...others] = Object.entries(data);
  if (only !== undefined && others.length === 0 && !Array.isArray(only[1])) return [...only, `data.${only[0]}`];
  const received = Array.isArray(only?.[1]) && others.length === 0 ? 'one with a list' : String(Object.keys(data).length);
  const message = `expected exactly one name, for the root element, received ${received}`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "data": ${message}. Set "root" to the name of an element around all of it.`, {
    issues: [{ path: 'data', message }],
  });
}

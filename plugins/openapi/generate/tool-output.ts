import type { JsonObject, JsonSchema } from '../../../kernel/index.ts';
import type { Operation, OperationResponse } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { bodyKindOf } from './body-kind.ts';
import { plainText } from './texts.ts';
import type { ToolParameters } from './tool-parameters.ts';

/** Keys of the definition about the answer of an operation. */
export interface ToolOutput {
  readonly keys: JsonObject;
  /** The type to ask for, where the service has several. */
  readonly accept?: string;
}

/** Headers of an answer without a body that say something, where the document describes none. */
const headersOfHead = ['Content-Type', 'Content-Length', 'ETag', 'Last-Modified'];

/** Headers that hold credentials or describe the connection. */
const unshownHeader =
  /^(set-cookie2?|cookie|connection|transfer-encoding|date|server|www-authenticate|.*(authori[sz]ation|authenticat|token|secret|api-?key|csrf|xsrf).*)$/i;

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Returns the keys about the answer of an operation. Adds a parameter for a file to save where the answer is one. */
export function outputOf({ method, responses }: Operation, parameters: ToolParameters, schemas: SchemaConverter): ToolOutput {
  const successes = responses.filter(({ status }) => /^2/.test(status));
  const contents = successes.flatMap((response) => response.contents);
  const json = contents.filter(({ mediaType }) => bodyKindOf(mediaType) === 'json');
  const types = new Set(contents.map(({ mediaType }) => mediaType));
  const accept = json[0] !== undefined && types.size > 1 && !json[0].mediaType.includes('*') ? { accept: json[0].mediaType } : {};
  if (method === 'head') return { keys: { output_headers: headersOf(successes, headersOfHead) }, ...accept };
  if (json.length > 0) {
    const converted = [...new Set(json.map(({ schema }) => (schema === undefined ? {} : schemas.convert(schema, 'output'))))];
    const schema = converted.length === 1 ? converted[0] : { anyOf: converted };
    return { keys: isAny(schema) ? {} : { output_schema: schema as JsonObject }, ...accept };
  }
  if (contents.some(({ mediaType }) => bodyKindOf(mediaType) === 'file')) {
    const name = parameters.add('save_path', 'tool', {
      schema: { type: 'string' },
      description: 'The path of a file to which the answer is saved. Without it, the answer itself is returned.',
      isRequired: false,
      overlay: { path: 'write' },
    });
    return { keys: { save_to: { parameter: name } } };
  }
  const shown = contents.length === 0 ? headersOf(successes, []) : [];
  return { keys: shown.length === 0 ? {} : { output_headers: shown } };
}

function headersOf(responses: readonly OperationResponse[], otherwise: readonly string[]): string[] {
  const names = responses.flatMap(({ headers }) => headers.map(({ name }) => name));
  const byKey = new Map(
    names.filter((name) => headerName.test(name) && !unshownHeader.test(name)).map((name) => [name.toLowerCase(), name]),
  );
  return byKey.size === 0 ? [...otherwise] : [...byKey.values()].slice(0, 30);
}

function isAny(schema: JsonSchema | undefined): boolean {
  return schema === undefined || Object.keys(schema).length === 0;
}

/** Returns a text about the answer, from the document. */
export function answerText({ responses }: Operation): string {
  const [first] = responses.filter(({ status }) => /^2/.test(status));
  return plainText(first?.description, 120);
}

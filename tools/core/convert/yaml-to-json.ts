import type { Document } from 'yaml';
import { ToolkitError } from '../../../kernel/index.ts';
import { badText, positionAt, type TextPosition } from '../json/bad-text.ts';
import { checkDocument, nestedTooDeeply } from '../json/check-document.ts';
import { withCheckedDirectives } from './yaml-directives.ts';
import { readYamlDocument } from './yaml-document.ts';

interface YamlParameters {
  readonly text: string;
  readonly all_documents: boolean;
}

interface YamlResult {
  readonly data: unknown;
  readonly warnings?: readonly (TextPosition & { readonly message: string })[];
}

/** Maximum number of warnings in a result. */
const maxWarnings = 50;

/** Converts YAML 1.2 to JSON. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export async function yamlToJson({ text: rawText, all_documents }: YamlParameters): Promise<YamlResult> {
  const library = await import('yaml');
  const text = rawText.replace(/^\uFEFF/, '');
  try {
    const tokens = withCheckedDirectives(new library.Parser().parse(text), (offset, problem) =>
      badText('YAML', problem, positionAt(text, offset)),
    );
    // Names are compared below: the library would compare each name with all the others.
    const composer = new library.Composer({ prettyErrors: false, uniqueKeys: false, intAsBigInt: true });
    const documents = [...composer.compose(tokens)].filter((document) => !isNoDocument(document, library));
    const values = documents.map((document) => {
      const [error] = document.errors;
      // The library catches an overflow of the stack.
      if (error?.message.includes('call stack') === true) throw nestedTooDeeply('text');
      if (error !== undefined) throw badText('YAML', error.message, positionAt(text, error.pos[0]));
      return readYamlDocument(document, text, library);
    });
    if (!all_documents && values.length > 1) throw severalDocuments(values.length);
    const data = all_documents ? values : (values[0] ?? null);
    checkDocument(data, { parameter: 'text', advice: 'Convert a part of it. An alias repeats all that its anchor holds.' });
    const warnings = documents.flatMap((document) => document.warnings).slice(0, maxWarnings);
    if (warnings.length === 0) return { data };
    return { data, warnings: warnings.map(({ message, pos }) => ({ ...positionAt(text, pos[0]), message })) };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('text') : error;
  }
}

/** True for a "..." with nothing before it: an empty document begins with "---" (YAML 1.2.2, 9.1.3). */
function isNoDocument({ contents, directives, errors }: Document.Parsed, { isScalar }: typeof import('yaml')): boolean {
  if (errors.length > 0 || directives.docStart === true) return false;
  if (!isScalar(contents)) return contents === null;
  const { value, source = '', anchor, tag } = contents;
  return value === null && source === '' && anchor === undefined && tag === undefined;
}

function severalDocuments(count: number): ToolkitError {
  const message = `expected one document, received ${count}, divided by "---"`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "text": ${message}. Set all_documents to get them as a list.`, {
    issues: [{ path: 'text', message }],
  });
}

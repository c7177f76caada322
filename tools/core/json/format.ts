import { jsonProblem } from '../../../plugins/shared/text/json-problem.ts';
import { badText, positionAt } from './bad-text.ts';
import { nestedTooDeeply } from './check-document.ts';
import { JsonPrinter, type Layout } from './json-printer.ts';

interface FormatParameters extends Layout {
  readonly text: string;
  readonly allow_comments: boolean;
}

interface FormatResult {
  readonly text: string;
  readonly comments_removed: number;
}

/** Rewrites the layout of JSON. Numbers and texts stay as written. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export async function format({ text: rawText, allow_comments, ...layout }: FormatParameters): Promise<FormatResult> {
  const { visit } = await import('jsonc-parser');
  const text = rawText.replace(/^\uFEFF/, '');
  const printer = new JsonPrinter(layout);
  let comments = 0;
  const visitor = {
    onObjectBegin: () => printer.begin(),
    onArrayBegin: () => printer.begin(),
    onObjectProperty: (name: string, offset: number, length: number) => printer.name(name, text.slice(offset, offset + length)),
    onLiteralValue: (_: unknown, offset: number, length: number) => printer.value(text.slice(offset, offset + length)),
    onObjectEnd: () => printer.end('{'),
    onArrayEnd: () => printer.end('['),
    onComment: () => {
      comments += 1;
    },
    onError: (code: number, offset: number) => {
      throw badText('JSON', jsonProblem(code), positionAt(text, offset));
    },
  };
  try {
    visit(text, visitor, { disallowComments: !allow_comments, allowTrailingComma: allow_comments });
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('text') : error;
  }
  return { text: printer.text, comments_removed: comments };
}

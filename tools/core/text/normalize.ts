import { normalizeText } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { OutputSize } from './output-size.ts';

interface NormalizeParameters {
  readonly text: string;
  readonly form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD';
  readonly strip_accents: boolean;
  readonly collapse_whitespace: boolean;
  readonly line_endings: 'lf' | 'crlf' | 'keep';
}

interface Normalized {
  readonly text: string;
}

/** Maximum UTF-16 code units to process in this process: they take at most a millisecond. A child process takes longer texts. */
const maxInlineUnits = 1000;

/** Normalizes a text. Throws OUTPUT_TOO_LARGE. */
export function normalize(parameters: NormalizeParameters, { inChild }: FunctionContext): Normalized | Promise<Normalized> {
  if (parameters.text.length <= maxInlineUnits) return normalizeNow(parameters);
  return inChild('./normalize.ts#normalizeNow', { ...parameters }) as Promise<Normalized>;
}

export function normalizeNow({ text, form, strip_accents, collapse_whitespace, line_endings }: NormalizeParameters): Normalized {
  const normalized = normalizeText(text, form);
  const plain = strip_accents ? normalizeText(withoutAccents(normalized), form) : normalized;
  const collapsed = collapse_whitespace ? plain.replace(/\p{White_Space}+/gu, ' ').replace(/^ | $/g, '') : plain;
  const lines = line_endings === 'keep' ? collapsed : collapsed.replace(/\r\n|\r|\n/g, line_endings === 'lf' ? '\n' : '\r\n');
  new OutputSize('Give a part of the text.').add(lines.length);
  return { text: lines };
}

/**
 * Removes accents from Latin, Greek and Cyrillic letters only. In other scripts the marks are no accents: Hindi or Thai would lose vowels,
 * and Japanese が would become か.
 */
function withoutAccents(text: string): string {
  return normalizeText(text, 'NFD').replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, '$1');
}

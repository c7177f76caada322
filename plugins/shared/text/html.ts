import { terminalText } from './visible-text.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

/** HTML whose values are escaped. Only `html` makes it. */
export class Html {
  readonly #text: string;

  /** `text`: as it is. */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type HtmlValue = string | Html | readonly Html[];

/**
 * Returns HTML in which each value is escaped, and its hidden characters are shown. Attributes need quotes.
 *
 * ```ts
 * html`<p>${'<b>'}</p>` // <p>&lt;b&gt;</p>
 * ```
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => `${part}${index < values.length ? textOf(values[index] ?? '') : ''}`).join(''));
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (typeof value !== 'string') return value.map(textOf).join('');
  return terminalText(value).replace(/[&<>"'`]/g, (character) => escapes[character] ?? '');
}

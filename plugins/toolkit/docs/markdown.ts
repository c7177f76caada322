/**
 * A text as Markdown that shows it as it is, on one line. Code between backticks stays code; nothing else of it is markup, so that a text of
 * others brings none.
 */
export function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|[^`]+|`+/g, (part, fence?: string) =>
      fence === undefined || part.includes('\\|') ? escaped(part) : part,
    )
    .replace(/^(?=([#+-]+|=+)(\s|$))/, '\\')
    .replace(/^(\d+)(?=[.)](\s|$))/, '$1\\');
}

/** Code inside a line. A cell of a table can hold no backslash before a bar in it. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.includes('\\|')) return escaped(line);
  const fence = longerFence(line, 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** Code in lines of its own. */
export function codeBlock(language: string, text: string): string {
  const fence = longerFence(text, 3);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** Cells are Markdown already. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('');
}

/** A page of parts with an empty line between them; empty ones are left out. */
export function page(...parts: readonly string[]): string {
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** The first sentence. */
export function firstSentence(text: string): string {
  return /^.*?[.?!](?=\s+[A-Z`"]|\s*$)/s.exec(text)?.[0] ?? text;
}

function escaped(text: string): string {
  return text.replace(/[\\`*[\]<>~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&');
}

/** Backticks, more than stand together in the text. */
function longerFence(text: string, least: number): string {
  return '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

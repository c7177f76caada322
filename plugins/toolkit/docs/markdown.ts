/** Escapes a text as one line of Markdown. Code between backticks stays code; all other markup is escaped, so that foreign text cannot add any. */
export function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|[^`]+|`+/g, (part, fence?: string) =>
      fence === undefined || part.includes('\\|') ? escapeText(part) : part,
    )
    .replace(/^(?=([#+-]+|=+)(\s|$))/, '\\')
    .replace(/^(\d+)(?=[.)](\s|$))/, '$1\\');
}

/** Formats code inside a line. A table cell cannot contain a backslash before a bar in code: such text is escaped instead. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.includes('\\|')) return escapeText(line);
  const fence = longerFence(line, 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** Formats a code block. */
export function codeBlock(language: string, text: string): string {
  const fence = longerFence(text, 3);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** Formats a table. The cells are Markdown already. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('');
}

/** Joins parts with an empty line between them; drops empty parts. */
export function page(...parts: readonly string[]): string {
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Returns the first sentence of a text. */
export function firstSentence(text: string): string {
  return /^.*?[.?!](?=\s+[A-Z`"]|\s*$)/s.exec(text)?.[0] ?? text;
}

function escapeText(text: string): string {
  return text.replace(/[\\`*[\]<>~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&');
}

/** Returns more backticks than any run in the text has. */
function longerFence(text: string, minLength: number): string {
  return '`'.repeat(Math.max(minLength, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

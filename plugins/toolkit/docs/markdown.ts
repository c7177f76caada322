/**
 * A text as Markdown that shows it as it is, on one line. Code between backticks stays code; nothing else of it is markup, so that a text of
 * others brings none.
 */
export function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|[^`]+|`+/g, (part, fence?: string) => (fence === undefined ? escaped(part) : part))
    .replace(/^(?=([#+-]+|=+)(\s|$))/, '\\')
    .replace(/^(\d+)(?=[.)](\s|$))/, '$1\\');
}

/** Code inside a line. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** Code in lines of its own. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
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
  return text.replace(/[\\`*[\]<>~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)/g, '\\$&');
}

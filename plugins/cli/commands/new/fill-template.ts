import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Mustache from 'mustache';
import { codeRoot } from '../../../shared/project/layout.ts';

/** Values by name. A section is shown unless its value is false or undefined; for a list, once for each item. */
export type TemplateValues = Readonly<Record<string, string | boolean | undefined | readonly string[]>>;

/** Returns the text of `templates/<name>.tmpl` with each `<% name %>` replaced. Values are not escaped. */
export async function fillTemplate(name: string, values: TemplateValues): Promise<string> {
  // Own text: a template of this program
  const template = await readFile(path.join(codeRoot(), 'plugins', 'cli', 'commands', 'new', 'templates', `${name}.tmpl`), 'utf8');
  return Mustache.render(template, values, undefined, { tags: ['<%', '%>'], escape: String });
}

/** Maximum length of a YAML line in characters. */
const lineLength = 120;

/** Formats a text as lines of a folded block (`>-`). `indent`: number of spaces. */
export function foldedBlock(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (last === '' || indent + longer.length <= lineLength) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/** Returns the text as one line, without control characters and outer spaces. */
export function plainLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

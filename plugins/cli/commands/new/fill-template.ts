import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Mustache from 'mustache';
import { codeRoot } from '../../../shared/project/layout.ts';

/** Values by name; a section shows for what is not false and not undefined, a list for each of its items. */
export type TemplateValues = Readonly<Record<string, string | boolean | undefined | readonly string[]>>;

/** The text of `templates/<name>.tmpl` with its `<% name %>` filled in, as they are. */
export async function fillTemplate(name: string, values: TemplateValues): Promise<string> {
  // Own text: a template of this program
  const template = await readFile(path.join(codeRoot(), 'plugins', 'cli', 'commands', 'new', 'templates', `${name}.tmpl`), 'utf8');
  return Mustache.render(template, values, undefined, { tags: ['<%', '%>'], escape: String });
}

/** Characters of a line in YAML. */
const lineLength = 120;

/** A text as lines of a folded block (`>-`), indented by so many blanks. */
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

/** One line of plain words: no controls, no line breaks, no blanks at the ends. */
export function plainLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

import { type CodeOutline, outlineOf } from './code-brackets.ts';
import { codeOf } from './code-value.ts';
import { nested, type OptionEdit } from './option-edit.ts';

/**
 * Does the work of `withOption` for TypeScript and JavaScript. Understands files as `defineConfig({ plugins: [standard(), openapi({ sources: { … } })] })`
 * with one list of plugins and the import of @toolkit/core; undefined for anything else, and for a member that is there already.
 */
export function withOptionInCode(code: string, { plugin, path, value }: OptionEdit): string | undefined {
  const { factory } = plugin;
  const outline = outlineOf(code);
  if (outline === undefined) return undefined;
  const calls = offsetsOf(outline, new RegExp(`(?<![\\w$.])${factory}\\s*\\(`, 'g'));
  if (calls.length > 1) return undefined;
  const [call] = calls;
  return call === undefined ? withPlugin(code, outline, factory, nested(path, value)) : withMember(code, outline, call, path, value);
}

/** Lists the plugin, and imports it. */
function withPlugin(code: string, outline: CodeOutline, factory: string, options: unknown): string | undefined {
  const lists = offsetsOf(outline, /(?<![\w$.])plugins\s*:\s*\[/g);
  const [open] = lists;
  const close = open === undefined ? undefined : outline.closing(open);
  const imported = importOf(code, outline, factory);
  if (lists.length !== 1 || close === undefined || open === undefined || imported === undefined) return undefined;
  const written = inserted(code, outline, open, close, (indent) => `${factory}(${codeOf(options, indent)})`);
  // The import stands before the list, so the offset still holds.
  return written.slice(0, imported.at) + imported.text + written.slice(imported.at);
}

/** Adds the member to the options of the call. Every object on the way is there, or is made. */
function withMember(code: string, outline: CodeOutline, call: number, path: readonly string[], value: unknown): string | undefined {
  const end = outline.closing(call);
  let open = offsetFrom(outline, call + 1, /^\s*\{/);
  if (end === undefined) return undefined;
  if (open === undefined)
    return code.slice(call + 1, end).trim() === '' ? code.slice(0, call + 1) + codeOf(nested(path, value)) + code.slice(end) : undefined;
  for (const [index, name] of path.entries()) {
    const close = outline.closing(open);
    if (close === undefined) return undefined;
    const member = memberOf(code, outline, open, close, name);
    if (member === undefined)
      return inserted(code, outline, open, close, (indent) =>
        codeOf(nested(path.slice(index), value), indent).replace(/^\{\s*|,?\s*\}$/g, ''),
      );
    if (index === path.length - 1) return undefined;
    const next = offsetFrom(outline, member, /^\s*\{/);
    if (next === undefined) return undefined;
    open = next;
  }
  return undefined;
}

/** Returns the offset behind the colon of a member at the top level of an object. */
function memberOf(code: string, outline: CodeOutline, open: number, close: number, name: string): number | undefined {
  for (const match of code.slice(open + 1, close).matchAll(/(?:(['"])([\w$-]+)\1|([\w$]+))\s*:/g)) {
    const at = open + 1 + match.index;
    const isTopLevel = depthAt(outline.plain, open, at) === 1 && outline.plain[at + match[0].length - 1] === ':';
    if (isTopLevel && (match[2] ?? match[3]) === name) return at + match[0].length;
  }
  return undefined;
}

function depthAt(plain: string, open: number, at: number): number {
  let depth = 0;
  for (const character of plain.slice(open, at)) depth += '([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0;
  return depth;
}

/** Inserts an item or member before the closing bracket, in a line of its own where the others have one. */
function inserted(code: string, outline: CodeOutline, open: number, close: number, format: (indent: string) => string): string {
  const content = outline.plain.slice(open + 1, close);
  const isEmpty = content.trim() === '';
  const last = isEmpty ? open : open + content.trimEnd().length;
  const comma = isEmpty || outline.plain[last] === ',' ? '' : ',';
  const before = code.slice(0, last + 1) + comma;
  // Comments behind the last item stay with it.
  const rest = code.slice(last + 1, close);
  if (!code.slice(open, close).includes('\n')) {
    const pad = isEmpty && code[open] === '[' ? '' : ' ';
    return `${before}${rest.trimEnd()}${pad}${format('')}${code[open] === '{' ? ' ' : ''}${code.slice(close)}`;
  }
  const outer = /^[ \t]*/.exec(code.slice(code.lastIndexOf('\n', close) + 1))?.[0] ?? '';
  const indent = `${outer}  `;
  return `${before}${rest.trimEnd()}\n${indent}${format(indent)},\n${outer}${code.slice(close)}`;
}

/** Returns the text that imports the plugin, and its offset: beside the other names of @toolkit/core. */
function importOf(code: string, outline: CodeOutline, factory: string): { at: number; text: string } | undefined {
  for (const match of code.matchAll(/(import\s*)\{([^{}]*)\}(\s*from\s*['"]@toolkit\/core['"])/g)) {
    if (outline.plain.slice(match.index, match.index + 6) !== 'import') continue;
    const names = match[2] ?? '';
    const isThere = names.split(',').some((name) => name.trim() === factory);
    const length = names.trimEnd().length;
    const at = match.index + (match[1] ?? '').length + 1 + length;
    return { at, text: isThere ? '' : `${names.trim() === '' || names.trimEnd().endsWith(',') ? ' ' : ', '}${factory}` };
  }
  return undefined;
}

/** Returns the offsets of the brackets with which the matches end. */
function offsetsOf({ plain }: CodeOutline, pattern: RegExp): readonly number[] {
  return [...plain.matchAll(pattern)].map((match) => match.index + match[0].length - 1);
}

function offsetFrom({ plain }: CodeOutline, from: number, pattern: RegExp): number | undefined {
  const match = pattern.exec(plain.slice(from));
  return match === null ? undefined : from + match[0].length - 1;
}

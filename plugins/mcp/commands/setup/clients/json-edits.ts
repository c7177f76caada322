import type { Node } from 'jsonc-parser';

/** Replaces the value of this node and nothing else. `modify` of jsonc-parser would reformat its neighbours. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  return (
    text.slice(0, node.offset) +
    formatValue(text, value, { at: node.offset, indent: indentAt(text, node.offset) }) +
    text.slice(node.offset + node.length)
  );
}

/** Appends a member to an object, or an item to an array (`key` undefined), in the formatting of the text. */
export function appendValue(text: string, parent: Node, key: string | undefined, value: unknown): string {
  const outer = indentAt(text, parent.offset);
  const last = parent.children?.at(-1);
  const inner = last !== undefined && isFirstOfLine(text, last.offset) ? indentAt(text, last.offset) : outer + indentUnit(text);
  const at = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const eol = lineEndAt(text, at);
  const content = `${eol}${inner}${key === undefined ? '' : `${JSON.stringify(key)}: `}${formatValue(text, value, { at, indent: inner })}`;
  // A comment after the last member belongs to that member and stays in its line.
  const [trailing = '', comma = '', comment = ''] = /^(\s*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*.*?\*\/))?/.exec(text.slice(at)) ?? [];
  const rest = text.slice(at + trailing.length);
  const gap = /^\s*/.exec(rest)?.[0] ?? '';
  const closes = at + trailing.length + gap.length === parent.offset + parent.length - 1;
  // A closing bracket in the same line moves to a line of its own.
  const after = closes && !gap.includes('\n') ? `${eol}${outer}${rest.slice(gap.length)}` : rest;
  return text.slice(0, at) + (last === undefined ? '' : ',') + comment + content + (comma === '' ? '' : ',') + after;
}

/** Matches white space and comments, each in one way only: no backtracking over many comments. */
const filler = String.raw`(?:\s|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*`;

/** Removes the member with this value. Comments outside its lines stay. */
export function removeMember(text: string, parent: Node, value: Node): string {
  const members = parent.children ?? [];
  const index = members.findIndex(({ children }) => children?.[1] === value);
  const member = members[index];
  if (member === undefined) return text;
  const end = member.offset + member.length;
  const [trailing = ''] = /^[ \t]*,?[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*(?=\r?\n))?/.exec(text.slice(end)) ?? [];
  const hadComma = trailing.trimStart().startsWith(',') || new RegExp(`^${filler},`).test(text.slice(end));
  let before = text.slice(0, member.offset);
  let after = text.slice(end + trailing.length);
  if (hadComma && !trailing.trimStart().startsWith(',')) after = after.replace(new RegExp(`^(${filler}),`), '$1');
  const previous = members[index - 1];
  // Before a closing bracket, the comma after the previous member must go.
  if (members[index + 1] === undefined && previous !== undefined && !hadComma) {
    const at = previous.offset + previous.length;
    before = before.slice(0, at) + before.slice(at).replace(new RegExp(`^(${filler}),`), '$1');
  }
  const isOwnLine = /(^|\n)[ \t]*$/.test(before) && /^[ \t]*\r?\n/.test(after);
  return isOwnLine ? before.replace(/[ \t]*$/, '') + after.replace(/^[ \t]*\r?\n/, '') : before + after;
}

function formatValue(text: string, value: unknown, { at, indent }: { readonly at: number; readonly indent: string }): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', `${lineEndAt(text, at)}${indent}`);
}

/** Returns the line ending at an offset; for a last line without one, that of the line before. */
function lineEndAt(text: string, at: number): string {
  const end = text.includes('\n', at) ? text.indexOf('\n', at) : text.lastIndexOf('\n');
  return text[end - 1] === '\r' ? '\r\n' : '\n';
}

/** Detects the indentation unit of a text. @default two spaces */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1]?.slice(0, 8) ?? '  ';
}

function lineUpTo(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineUpTo(text, offset))?.[0] ?? '';
}

function isFirstOfLine(text: string, offset: number): boolean {
  return lineUpTo(text, offset).trim() === '';
}

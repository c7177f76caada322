import type { Node } from 'jsonc-parser';

/** Writes a value over the one of this node; nothing else changes. `modify` of jsonc-parser lays out the neighbours anew as well. */
export function replaced(text: string, node: Node, value: unknown): string {
  return text.slice(0, node.offset) + laidOut(text, value, indentAt(text, node.offset)) + text.slice(node.offset + node.length);
}

/** Adds a member to an object, or an item to an array (`key` undefined), at the end, laid out as the text is. */
export function appended(text: string, parent: Node, key: string | undefined, value: unknown): string {
  const eol = eolOf(text);
  const outer = indentAt(text, parent.offset);
  const last = parent.children?.at(-1);
  const inner = last !== undefined && isFirstOfLine(text, last.offset) ? indentAt(text, last.offset) : outer + unitOf(text);
  const content = `${eol}${inner}${key === undefined ? '' : `${JSON.stringify(key)}: `}${laidOut(text, value, inner)}`;
  const at = last === undefined ? parent.offset + 1 : last.offset + last.length;
  // What stands behind the last one in its line is about that one, and stays there.
  const [behind = '', comma = '', comment = ''] = /^(\s*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*.*?\*\/))?/.exec(text.slice(at)) ?? [];
  const rest = text.slice(at + behind.length);
  const gap = /^\s*/.exec(rest)?.[0] ?? '';
  const closes = at + behind.length + gap.length === parent.offset + parent.length - 1;
  // A bracket that closes in the same line gets one of its own.
  const after = closes && !gap.includes('\n') ? `${eol}${outer}${rest.slice(gap.length)}` : rest;
  return text.slice(0, at) + (last === undefined ? '' : ',') + comment + content + (comma === '' ? '' : ',') + after;
}

function laidOut(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** What one step of indentation is in this text. */
function unitOf(text: string): string {
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

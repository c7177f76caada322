import { readFile } from 'node:fs/promises';
import type { TransformOptions } from 'jiti';
import { excerpt, messageOf } from '../../../kernel/index.ts';
import type { CodeOutline } from './code-outline.ts';
import { installedCompiler } from './typescript.ts';

/** The part of Babel's syntax tree used here. */
interface Node {
  readonly type: string;
  readonly exportKind?: string;
  readonly declaration?: Node | null;
  readonly specifiers?: readonly { readonly exportKind?: string; readonly exported: { readonly name?: string; readonly value?: string } }[];
}

interface Babel {
  readonly types: { getBindingIdentifiers(node: Node, isDuplicated: boolean, isOuterOnly: boolean): Readonly<Record<string, unknown>> };
}

interface SyntaxFlaw extends Error {
  /** The column is 0-based. */
  readonly loc?: { readonly line: number; readonly column: number };
}

/** Reads the exports of a JavaScript or TypeScript module. Parses it, and never runs it. */
export async function moduleExports(file: string): Promise<CodeOutline> {
  // Own text: code, in which names are looked for as Node reads it
  const source = await readFile(file, 'utf8');
  let names: readonly string[] | undefined;
  const reader = (babel: Babel): object => ({
    visitor: {
      // Runs before any transformation.
      Program({ node: { body } }: { readonly node: { readonly body: readonly Node[] } }) {
        names = exportsOf(body, babel, source);
      },
    },
  });
  const options = { source, filename: file, ts: /\.[cm]?ts$/.test(file), babel: { plugins: [reader] } };
  const { error } = installedCompiler().compile(options as unknown as TransformOptions) as { readonly error?: SyntaxFlaw };
  if (error === undefined) return names === undefined ? {} : { names: new Set(names) };
  // "<folder>: <message> (<line>:<column>)"
  const syntaxError = excerpt(
    messageOf(error)
      .replace(/^\S*: /, '')
      .replace(/\s*\(\d+:\d+\)\s*$/, ''),
  );
  return { syntaxError, ...(error.loc === undefined ? {} : { position: { line: error.loc.line, column: error.loc.column + 1 } }) };
}

/** Returns the exported names. Undefined when only running the module would tell. */
function exportsOf(body: readonly Node[], { types }: Babel, source: string): readonly string[] | undefined {
  if (body.some(({ type, exportKind }) => type === 'ExportAllDeclaration' && exportKind !== 'type')) return undefined;
  const isModule = body.some(({ type }) => /^(Import|Export)/.test(type));
  // A CommonJS module may export computed names.
  if (!isModule && /\b(exports|module)\b/.test(source)) return undefined;
  return body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return ['default'];
    if (node.type !== 'ExportNamedDeclaration' || node.exportKind === 'type') return [];
    const declared = node.declaration == null ? [] : Object.keys(types.getBindingIdentifiers(node.declaration, false, true));
    const values = (node.specifiers ?? []).filter(({ exportKind }) => exportKind !== 'type');
    return [...declared, ...values.map(({ exported }) => exported.name ?? exported.value ?? '')];
  });
}

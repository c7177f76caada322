import { readFile } from 'node:fs/promises';
import type { TransformOptions } from 'jiti';
import { excerpt, messageOf } from '../../../kernel/index.ts';
import type { CodeOutline } from './code-outline.ts';
import { installedCompiler } from './typescript.ts';

/** Nodes of Babel's syntax tree, as far as they matter here. */
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

/** What a JavaScript or TypeScript module exports. It is parsed, never run. */
export async function moduleExports(file: string): Promise<CodeOutline> {
  // Own text: code, in which names are looked for as Node reads it
  const source = await readFile(file, 'utf8');
  let names: readonly string[] | undefined;
  const reader = (babel: Babel): object => ({
    visitor: {
      // Before anything of it is compiled.
      Program({ node: { body } }: { readonly node: { readonly body: readonly Node[] } }) {
        names = exportsOf(body, babel, source);
      },
    },
  });
  const options = { source, filename: file, ts: /\.[cm]?ts$/.test(file), babel: { plugins: [reader] } };
  const { error } = installedCompiler().compile(options as unknown as TransformOptions) as { readonly error?: SyntaxFlaw };
  if (error === undefined) return names === undefined ? {} : { names: new Set(names) };
  // "<folder>: <what is wrong> (<line>:<column>)"
  const flaw = excerpt(
    messageOf(error)
      .replace(/^\S*: /, '')
      .replace(/\s*\(\d+:\d+\)\s*$/, ''),
  );
  return { flaw, ...(error.loc === undefined ? {} : { position: { line: error.loc.line, column: error.loc.column + 1 } }) };
}

/** Undefined where only running the module would tell. */
function exportsOf(body: readonly Node[], { types }: Babel, source: string): readonly string[] | undefined {
  if (body.some(({ type, exportKind }) => type === 'ExportAllDeclaration' && exportKind !== 'type')) return undefined;
  const isModule = body.some(({ type }) => /^(Import|Export)/.test(type));
  // A CommonJS module, which may export whatever it computes.
  if (!isModule && /\b(exports|module)\b/.test(source)) return undefined;
  return body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return ['default'];
    if (node.type !== 'ExportNamedDeclaration' || node.exportKind === 'type') return [];
    const declared = node.declaration == null ? [] : Object.keys(types.getBindingIdentifiers(node.declaration, false, true));
    const values = (node.specifiers ?? []).filter(({ exportKind }) => exportKind !== 'type');
    return [...declared, ...values.map(({ exported }) => exported.name ?? exported.value ?? '')];
  });
}

import { createRequire } from 'node:module';

/** A node of the syntax tree, with the members that are used here. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly optional?: boolean;
  readonly id?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly declaration?: SyntaxNode | null;
  readonly declarations?: readonly SyntaxNode[];
  readonly params?: readonly SyntaxNode[];
  readonly parameters?: readonly SyntaxNode[];
  readonly typeAnnotation?: SyntaxNode;
  readonly body?: SyntaxNode | readonly SyntaxNode[];
  readonly leadingComments?: readonly SourceComment[];
  readonly loc: SourceLocation;
}

/** A comment without its slashes. A doc comment is a `CommentBlock` that begins with a star. */
export interface SourceComment {
  readonly type: 'CommentBlock' | 'CommentLine';
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly loc: SourceLocation;
}

interface SourceLocation {
  /** Line number, from 1. */
  readonly start: { readonly line: number };
}

export interface ParsedSource {
  readonly program: SyntaxNode;
  /** All comments of the file, in text order. */
  readonly comments: readonly SourceComment[];
}

type Compile = (options: object) => { readonly error?: unknown };

const compile = createRequire(createRequire(import.meta.url).resolve('jiti/package.json'))('./dist/babel.cjs') as Compile;

/** Parses TypeScript or JavaScript. `file` names the text in errors. Throws when the text cannot be parsed. */
export function parseSource(text: string, file: string): ParsedSource {
  let parsed: ParsedSource | undefined;
  // Runs before any plugin changes the tree, and throws to end the transformation: only the tree is needed.
  const pre = ({ ast }: { readonly ast: ParsedSource }): void => {
    parsed = ast;
    throw new Error('parsed');
  };
  const { error } = compile({ source: text, filename: file, ts: true, babel: { plugins: [() => ({ pre, visitor: {} })] } });
  if (parsed === undefined) throw error;
  return parsed;
}

import { createRequire } from 'node:module';

/** What TypeScript code declares at its top, by name. */
export interface Declared {
  readonly name: string;
  /** Its doc comment, line by line as it is written; empty where there is none. */
  readonly comment: string;
  /** Of an interface, in the order of the code. */
  readonly members: readonly DeclaredMember[];
}

export interface DeclaredMember {
  readonly name: string;
  readonly comment: string;
  /** Its type, or of a method what it returns, as it is written. */
  readonly type: string;
  /** Of a method. */
  readonly parameters?: readonly { readonly name: string; readonly type: string }[];
}

/** What the parser gives, as far as it is used. */
interface SyntaxNode {
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
  readonly leadingComments?: readonly { readonly type: string; readonly value: string }[];
}

type Compile = (options: object) => { readonly error?: unknown };

const compile = createRequire(createRequire(import.meta.url).resolve('jiti/package.json'))('./dist/babel.cjs') as Compile;

/** Reads declarations and their doc comments. `file` names the code in errors. */
export function sourceComments(text: string, file: string): readonly Declared[] {
  const found: Declared[] = [];
  const read = (program: SyntaxNode): void => {
    for (const statement of listOf(program.body)) {
      const declaration = statement.declaration ?? statement;
      const name = (declaration.id ?? declaration.declarations?.[0]?.id)?.name;
      if (name !== undefined) found.push({ name, comment: commentOf(statement), members: membersOf(declaration, text) });
    }
  };
  const plugin = { visitor: { Program: ({ node }: { readonly node: SyntaxNode }) => read(node) } };
  const { error } = compile({ source: text, filename: file, ts: true, babel: { plugins: [() => plugin] } });
  if (error !== undefined) throw error;
  return found;
}

/** The comment at the top of a file. */
export function headComment(text: string): string {
  return withoutStars(/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '');
}

function membersOf(declaration: SyntaxNode, text: string): readonly DeclaredMember[] {
  if (declaration.type !== 'TSInterfaceDeclaration') return [];
  const written = (node: SyntaxNode | undefined): string =>
    node === undefined ? 'unknown' : text.slice(node.start, node.end).replace(/^:\s*/, '').replace(/\s+/g, ' ');
  return listOf((declaration.body as SyntaxNode | undefined)?.body).flatMap((member) => {
    const { key, optional = false, typeAnnotation, type } = member;
    if (key?.name === undefined) return [];
    const own = { name: `${key.name}${optional ? '?' : ''}`, comment: commentOf(member), type: written(typeAnnotation) };
    if (type !== 'TSMethodSignature') return [own];
    const parameters = (member.params ?? member.parameters ?? []).map((parameter) => ({
      name: `${parameter.name ?? ''}${parameter.optional === true ? '?' : ''}`,
      type: written(parameter.typeAnnotation),
    }));
    return [{ ...own, parameters }];
  });
}

function listOf(nodes: SyntaxNode['body']): readonly SyntaxNode[] {
  return Array.isArray(nodes) ? nodes : [];
}

function commentOf({ leadingComments = [] }: SyntaxNode): string {
  const last = leadingComments.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
  return last === undefined ? '' : withoutStars(last.value.slice(1));
}

function withoutStars(comment: string): string {
  return comment.replaceAll(/^[ \t]*\* ?/gm, '').trim();
}

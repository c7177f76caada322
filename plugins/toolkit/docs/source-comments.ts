import { parseSource, type SyntaxNode } from './parse-source.ts';

/** A named top-level declaration of TypeScript code. */
export interface Declaration {
  readonly name: string;
  /** Doc comment, line by line as written; empty without one. */
  readonly comment: string;
  /** Members of an interface, in code order. */
  readonly members: readonly DeclarationMember[];
}

export interface DeclarationMember {
  readonly name: string;
  readonly comment: string;
  /** Type as written; for a method its return type. */
  readonly type: string;
  /** Parameters of a method. */
  readonly parameters?: readonly { readonly name: string; readonly type: string }[];
}

/** Reads declarations and their doc comments. `file` names the code in errors. */
export function sourceComments(text: string, file: string): readonly Declaration[] {
  return listOf(parseSource(text, file).program.body).flatMap((statement) => {
    const declaration = statement.declaration ?? statement;
    const name = (declaration.id ?? declaration.declarations?.[0]?.id)?.name;
    return name === undefined ? [] : [{ name, comment: commentOf(statement), members: membersOf(declaration, text) }];
  });
}

/** Returns the comment at the top of a file. */
export function headComment(text: string): string {
  return withoutStars(/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '');
}

function membersOf(declaration: SyntaxNode, text: string): readonly DeclarationMember[] {
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

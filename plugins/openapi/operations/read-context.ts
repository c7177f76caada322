import { excerpt, isPlainObject } from '../../../kernel/index.ts';
import type { OpenedDocument } from '../document/open-document.ts';
import type { Located } from '../document/resolve.ts';
import type { Dialect, SecurityScheme, Server } from './operation.ts';
import { UnusableOperation } from './unusable-operation.ts';

/** The parts of a document that all its operations share. */
export interface DocumentContext {
  readonly opened: OpenedDocument;
  readonly dialect: Dialect;
  readonly root: Located;
  readonly servers: readonly Server[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

/** One operation while it is read. */
export interface OperationContext extends DocumentContext {
  /** The operation itself. */
  readonly located: Located;
  /** Its path item; two where that refers to another one. */
  readonly items: readonly Located[];
  /** Records a fault that does not cost the operation. */
  readonly note: (fault: string) => void;
}

/** Returns the member of an object that is an object or list, with references followed. Throws `UnusableOperation` for a broken reference. */
export function followed({ opened }: DocumentContext, located: Located): Located {
  const target = opened.resolver.follow(located);
  if (typeof target === 'string') throw new UnusableOperation('broken reference', `${excerpt(located.pointer)}: ${target}`);
  return target;
}

/** Returns the members of an object, or items of a list, with their names. */
export function membersOf(
  { opened }: DocumentContext,
  located: Located | undefined,
): readonly (readonly [name: string, member: Located])[] {
  if (located === undefined || typeof located.value !== 'object' || located.value === null) return [];
  return Object.keys(located.value).flatMap((name) => {
    const member = opened.resolver.at(located, name);
    return member === undefined ? [] : [[name, member] as const];
  });
}

/** Returns an own member of an object. */
export function memberOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns an own member that is a text with other characters than blanks. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' && member.trim() !== '' ? member : undefined;
}

/** True for a member that is `true`. YAML and careless writers make a text of it. */
export function isTrue(value: unknown, name: string): boolean {
  const member = memberOf(value, name);
  return member === true || member === 'true';
}

/** Returns an object of the members that are not undefined. */
export function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

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
  readonly budget: WorkBudget;
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

/** Maximum parts (parameters, media types, responses, examples …) of all operations. The largest public document has 700,000. */
const maxParts = 5_000_000;

/** Counts the parts that are read. References make many of few: a hundred thousand paths may be one path item with as many parameters. */
export class WorkBudget {
  #left = maxParts;

  /** Throws `UnusableOperation` when the document has too many parts. */
  spend(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0)
      throw new UnusableOperation('invalid', `the operations have more than ${maxParts} parts together. Split the document`);
  }
}

/** Returns a value with references followed. Throws `UnusableOperation` for a broken reference. */
export function followed({ opened }: DocumentContext, located: Located): Located {
  const target = opened.resolver.follow(located);
  if (typeof target === 'string') throw new UnusableOperation('broken reference', `${shortText(located.pointer, 200)}: ${target}`);
  return target;
}

/** Returns the members of an object, or items of a list, with their names. */
export function membersOf(
  { opened, budget }: DocumentContext,
  located: Located | undefined,
): readonly (readonly [name: string, member: Located])[] {
  if (located === undefined || typeof located.value !== 'object' || located.value === null) return [];
  const names = Object.keys(located.value);
  budget.spend(names.length);
  return names.flatMap((name) => {
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
  return typeof member === 'string' && member.slice(0, 1000).trim() !== '' ? member : undefined;
}

/** True for a member that is `true`. Careless writers make a text of it. */
export function isTrue(value: unknown, name: string): boolean {
  const member = memberOf(value, name);
  return member === true || member === 'true';
}

/** Returns a text of the document for a message. Takes the same time for every length. */
export function shortText(text: string, limit: number): string {
  return excerpt(text.slice(0, 2 * limit), limit);
}

/** Returns an object of the members that are not undefined. */
export function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

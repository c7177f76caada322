import type { OpenedDocument } from '../document/open-document.ts';
import type { Located } from '../document/resolve.ts';
import { shortText } from './members.ts';
import type { Dialect, SecurityScheme, Server } from './operation.ts';
import { UnusableOperation } from './unusable-operation.ts';
import type { WorkBudget } from './work-budget.ts';

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

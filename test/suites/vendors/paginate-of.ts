import type { Tool } from '../../../kernel/index.ts';
import type { Paginate } from '../../../plugins/executor-http/definition/paginate.ts';

/** How a tool goes through its pages, as its definition says. */
export function paginateOf({ definition }: Pick<Tool, 'definition'>): Paginate | undefined {
  return (definition as { readonly paginate?: Paginate }).paginate;
}

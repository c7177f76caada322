import type { StateEntry, StateStore } from '../../../kernel/index.ts';

/** Reads all entries whose keys begin with `prefix`, in the order of their keys, `pageSize` at a time. */
export async function* pagesOf(
  state: Pick<StateStore, 'list'>,
  prefix: string,
  pageSize: number,
): AsyncGenerator<readonly StateEntry[], void> {
  for (let after: string | undefined; ; ) {
    const page = await state.list(prefix, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.at(-1)?.key;
    if (page.length < pageSize) return;
  }
}

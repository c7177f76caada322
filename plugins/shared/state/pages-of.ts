import type { ListOptions, StateEntry, StateStore } from '../../../kernel/index.ts';

/**
 * Reads all entries whose keys begin with `prefix`, in the order of their keys, `pageSize` at a time. `onUnreadable`: see `ListOptions`.
 */
export async function* pagesOf(
  state: Pick<StateStore, 'list'>,
  prefix: string,
  pageSize: number,
  { onUnreadable }: Pick<ListOptions, 'onUnreadable'> = {},
): AsyncGenerator<readonly StateEntry[], void> {
  for (let after: string | undefined; ; ) {
    const found = { limit: pageSize, ...(onUnreadable === undefined ? {} : { onUnreadable }) };
    const page = await state.list(prefix, { ...found, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.at(-1)?.key;
    if (page.length < pageSize) return;
  }
}

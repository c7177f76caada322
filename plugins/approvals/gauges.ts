import { type PluginApi, ToolkitError } from '../../kernel/index.ts';

/** Prefix of the keys of open records (`recordKeys.due`). Their value is the status. */
const openRecords = 'due/';

const pageSize = 1000;

/** Adds the number of calls that wait for a person, over all processes of the store. Reads the index and no record, so it needs no key. */
export function addGauges({ extend, state }: Pick<PluginApi, 'extend' | 'state'>): void {
  extend.gauge({
    name: 'approvals.waiting',
    description: 'Calls that wait for a person',
    unit: '{approval}',
    async read() {
      let count = 0;
      try {
        for (let after: string | undefined; ; ) {
          const page = await state.list(openRecords, { limit: pageSize, ...(after === undefined ? {} : { after }) });
          count += page.filter(({ value }) => value === 'waiting').length;
          after = page.at(-1)?.key;
          if (page.length < pageSize) return count;
        }
      } catch (error) {
        if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return undefined;
        throw error;
      }
    },
  });
}

import { type PluginApi, ToolkitError } from '../../kernel/index.ts';
import { pagesOf } from '../shared/state/pages-of.ts';

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
        for await (const page of pagesOf(state, openRecords, pageSize)) count += page.filter(({ value }) => value === 'waiting').length;
        return count;
      } catch (error) {
        if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return undefined;
        throw error;
      }
    },
  });
}

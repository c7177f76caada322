import { apiVersion, createKernel, definePlugin } from '../../../../kernel/index.ts';
import { addWebhooks } from '../../../../plugins/approvals/webhook/index.ts';
import { storeLibsql } from '../../../../plugins/store-libsql/index.ts';
import { secret, waitingRecord } from './records.ts';

/** Sends the messages of a store in a file, until it is killed. Every id is that of a waiting record. */
const [, , file = '', url = ''] = process.argv;

const hooked = definePlugin({
  name: 'approvals',
  apiVersion,
  apply: (api) =>
    void addWebhooks(api, [{ name: 'chat', url, secret }], {
      read: async (id) => waitingRecord({ id }),
      decide: async () => waitingRecord(),
      reject: () => {},
    }),
});
const kernel = await createKernel({ plugins: [storeLibsql({ path: file }), hooked()] });
await kernel.serve();
// Timers of the sender keep no process alive.
setInterval(() => {}, 60_000);

import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { itemsOf } from '../../../../tools/core/web/feed-items.ts';
import { metadataOf } from '../../../../tools/core/web/page-metadata.ts';
import { startEcho } from '../echo-service.ts';
import type { Way } from '../way.ts';

const nothingToStop = async (): Promise<void> => {};

export const ways: readonly Way[] = [
  {
    name: 'through web_graphql, in variables and data',
    async start() {
      const service = await startEcho();
      service.answer(({ body }) => `{"data":{"thing":${/"id":"?(-?\d+)/.exec(body)?.[1]}}}`);
      const toolkit = await Toolkit.init({ logger: memoryLogger(), allowHosts: ['127.0.0.1'] });
      const query = 'query ($id: ID!) { thing(id: $id) }';
      return {
        async carry(digits) {
          const parameters = { url: service.url, query, variables: { id: BigInt(digits) } };
          const { data } = (await toolkit.execute('web_graphql', parameters)) as { readonly data: { readonly thing: unknown } };
          return String(data.thing);
        },
        async stop() {
          await toolkit.close();
          await service.stop();
        },
      };
    },
  },
  {
    name: 'in a JSON feed',
    start: async () => ({
      async carry(digits) {
        const text = `{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[{"id":${digits},"title":${digits}}]}`;
        const { items } = await itemsOf({ text, limit: 1 });
        return String(items[0]?.title);
      },
      stop: nothingToStop,
    }),
  },
  {
    name: 'in the JSON-LD of a page',
    start: async () => ({
      async carry(digits) {
        const html = `<script type="application/ld+json">{"id":${digits}}</script>`;
        const { json_ld: data } = await metadataOf({ html });
        return String((data[0] as { readonly id: unknown }).id);
      },
      stop: nothingToStop,
    }),
  },
];

import { readJson } from '../../../../kernel/index.ts';
import { Database } from '../../../tools/postgres/database.ts';
import type { Way } from '../way.ts';

const sql = `SELECT $1::numeric AS number, $2::numeric[] AS list, $3::jsonb AS document, $4::jsonb AS written`;

export const way: Way = {
  name: 'through SQL: numbers, lists, documents and what they are read as',
  async start() {
    const database = await Database.start();
    return {
      async carry(digits) {
        const params = readJson(`[${digits},[${digits}],{"id":${digits}},${JSON.stringify(`{"id":${digits}}`)}]`) as unknown[];
        const [{ number, list, document, written } = {}] = (await database.run(sql, params)).rows as readonly Readonly<
          Record<string, { readonly id?: unknown }>
        >[];
        const found = [number, (list as unknown as readonly unknown[])[0], document?.id, written?.id];
        return [...new Set(found.map(String))].join(' and ');
      },
      stop: () => database.stop(),
    };
  },
};

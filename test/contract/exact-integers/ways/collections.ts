import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readRows } from '../../../../plugins/apiclient/data-rows.ts';
import { readReport } from '../../../../plugins/apiclient/report.ts';
import type { Way } from '../way.ts';

interface WithData {
  readonly data: { readonly id: unknown };
}

export const way: Way = {
  name: 'in the report of a collection run, and in its data',
  async start() {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-integers-'));
    const write = async (name: string, text: string): Promise<string> => {
      const file = path.join(folder, name);
      await writeFile(file, text);
      return file;
    };
    return {
      async carry(digits) {
        const row = `{"name":"a","status":"pass","request":{"data":{"id":${digits}}},"response":{"status":200,"data":{"id":${digits}}}}`;
        const report = await readReport(await write('report.json', `[{"results":[${row}]}]`), 10_000);
        const { request, response } = (report?.rows[0]?.row ?? {}) as { readonly request?: WithData; readonly response?: WithData };
        const [data] = await readRows(await write('data.json', `[{"id":${digits}}]`));
        return [...new Set([request?.data.id, response?.data.id, data?.['id']].map(String))].join(' and ');
      },
      stop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

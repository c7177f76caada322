import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { json, loopback } from '../support/loopback.ts';
import { python } from '../support/python.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
  readonly url: string;
}

type Rows = readonly (readonly string[])[];

/** A row for each order of each customer of a nested answer, as CSV. */
runJob<Rows, Facts>({
  number: 9,
  title: 'nested answer of an API to CSV',
  async prepare(folder, random) {
    const text = ['plain', 'with, a comma', 'with "quotes"', 'Größe', 'two\nlines'];
    const customers: object[] = [];
    for (let orders = 0; orders < 120; ) {
      const some = Math.min(random.between(1, 4), 120 - orders);
      orders += some;
      customers.push({
        id: 1000 + customers.length,
        attributes: {
          name: `Customer ${random.below(1e6)}`,
          address: { city: random.oneOf(['Köln', 'Lyon', 'Bath']), code: `0${random.between(1000, 9999)}` },
        },
        orders: Array.from({ length: some }, () => ({
          number: random.below(1e9),
          total: { amount: random.between(100, 99_999), currency: random.oneOf(['EUR', 'GBP']) },
          note: random.oneOf(text),
          reference: `order-${random.between(100_000, 999_999)}`,
          placed_at: `2026-0${random.between(1, 9)}-1${random.below(10)}T08:00:00Z`,
          lines: [{ sku: `SKU-${random.below(1e4)}` }],
        })),
      });
    }
    const answer = { status: 'ok', page: { number: 1, of: 1 }, result: { customers } };
    await writeFile(path.join(folder, 'sent.json'), JSON.stringify(answer));
    const { url } = await loopback((_request, response) => json(response, answer));
    return { folder, url };
  },
  server: () => ({ configuration: 'plugins:\n  - [toolkit/standard, { autoDiscover: true, allowHosts: [127.0.0.1] }]\n' }),
  async steps(client, { folder, url }) {
    const request = await client.tool('web_request', 'send a GET request to an API and save the answer');
    await request.call({ method: 'GET', url: `${url}/customers`, save_to: 'answer.json' });
    const describe = await client.tool('data_describe', 'what a JSON file holds: columns and types');
    await describe.call({ path: 'answer.json' });
    const save = await client.tool('data_convert', 'save a query over a JSON file as CSV');
    await save.call({
      files: [{ path: 'answer.json' }],
      sql: [
        'WITH customers AS (SELECT unnest(result.customers) AS c FROM answer), orders AS (SELECT c, unnest(c.orders) AS o FROM customers)',
        'SELECT c.id AS customer, c.attributes.name AS name, c.attributes.address.city AS city, o.number AS number, o.total.amount AS amount, o.note AS note',
        'FROM orders ORDER BY customer, number',
      ].join(' '),
      to: 'orders.csv',
    });
    return python('import csv\nresult = list(csv.reader(open(given, newline="", encoding="utf-8")))', path.join(folder, 'orders.csv'));
  },
  expected: (folder) =>
    python(
      [
        'customers = json.load(open(given, encoding="utf-8"))["result"]["customers"]',
        'rows = [(c["id"], c["attributes"]["name"], c["attributes"]["address"]["city"], o["number"], o["total"]["amount"], o["note"]) for c in customers for o in c["orders"]]',
        'result = [["customer", "name", "city", "number", "amount", "note"], *([str(cell) for cell in row] for row in sorted(rows, key=lambda row: (row[0], row[3])))]',
      ].join('\n'),
      path.join(folder, 'sent.json'),
    ),
});

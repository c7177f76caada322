import { expect } from 'chai';
import { outputBudget } from '../../../../plugins/output-budget/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';

const answer = {
  items: [
    { id: 1, name: 'a', rest: 'x'.repeat(500) },
    { id: 2, name: 'b', rest: 'y' },
  ],
  total: '9007199254740993',
};

describe('executor-http: select', () => {
  const shapes = [
    { select: 'items[].id', output: [1, 2] },
    { select: "items[?name == 'b'].{id: id, title: name} | [0]", output: { id: 2, title: 'b' } },
    { select: 'total', output: '9007199254740993' },
    { select: 'nothing.there', output: null },
    { select: 'constructor', output: null },
    { select: '[items[0].toString, __proto__]', output: [null, null] },
    { select: 'length(items)', output: 2 },
    { select: '@', output: answer },
  ];
  for (const { select, output } of shapes)
    it(`gives ${JSON.stringify(output).slice(0, 40)} for ${select}`, async () => {
      const { url } = await loopback(
        (_request, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
      );
      const call = await httpTool({ execution: { url }, definition: { select } });
      expect((await call()).output).to.deep.equal(output);
    });

  it('is what output_schema describes, and what is shortened for a model', async () => {
    const large = { items: Array.from({ length: 300 }, (_, id) => ({ id, rest: 'x'.repeat(200) })) };
    const { url } = await loopback((_request, response) => json(response, large));
    const output_schema = { type: 'array', items: { type: 'integer' } };
    const options = { execution: { url }, plugins: [outputBudget({ maxCharacters: 5000 })] };
    const call = await httpTool({ ...options, definition: { select: 'items[].id', output_schema } });
    const { output, content, meta } = await call({}, { origin: 'model' });
    expect(output).to.deep.equal(large.items.map(({ id }) => id));
    expect(content).to.equal(undefined);
    expect(meta).to.not.have.property('outputBudget');
    const other = await httpTool({ ...options, definition: { select: 'items[].rest', output_schema } });
    expect((await rejection(other(), 'OUTPUT_INVALID')).message).to.include('[0] expected integer');
  });

  it('comes after what tells an error, and after the pages are together', async () => {
    const { url } = await loopback(({ url: asked }, response) => {
      const page = Number(new URL(asked, 'http://x').searchParams.get('page') ?? 1);
      json(response, asked.includes('bad') ? { ok: false } : { ok: true, items: [{ id: page }], next: page < 3 ? page + 1 : null });
    });
    const error_when = { path: 'ok', equals: false };
    const failing = await httpTool({ execution: { url: `${url}/bad` }, definition: { select: 'items', error_when } });
    await rejection(failing(), 'EXECUTION_FAILED');
    const paged = await httpTool({
      execution: { url, query_params: { page: '{page}' } },
      parameters: { page: { type: 'integer' }, limit: { type: 'integer' } },
      definition: {
        select: 'items[].id',
        error_when,
        paginate: { items: 'items', limit: 'limit', next: { cursor: { path: 'next', parameter: 'page' } } },
      },
    });
    expect((await paged({ limit: 3 })).output).to.deep.equal([1, 2, 3]);
  });

  it('that does not fit the answer of a write is told as done, with the answer', async () => {
    const { url } = await loopback((_request, response) => json(response, { items: 5 }));
    const call = await httpTool({ execution: { method: 'post', url, body: {} }, definition: { select: 'sum(items)' } });
    const error = await rejection(call(), 'OUTPUT_INVALID');
    expect(error.details).to.deep.include({ carriedOut: true, status: 200, output: { items: 5 } });
    expect(error.message).to.match(
      /^It was carried out \(status 200\); do not call it again\. "select" of "probe" does not fit its answer/,
    );
  });
});

import { expect } from 'chai';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { authTool } from '../auth-tool.ts';

const integer = { type: 'integer' };
const cursor = { path: 'next', parameter: 'cursor' };
const good = { items: 'things', limit: 'max_items', size: { parameter: 'per_page', maximum: 9 }, next: { cursor } };
const parameters = {
  max_items: integer,
  per_page: integer,
  page: integer,
  cursor: { type: 'string' },
  offset: integer,
  page_token: { type: 'string', auth: false },
  unsent: integer,
};
const execution = {
  url: 'https://example.com/',
  query_params: { per_page: '{per_page}', page: '{page}', cursor: '{cursor}', offset: '{offset}', token: '{page_token}' },
};

/** The parameter that chooses one of two body types. */
const kind = { type: 'string', enum: ['application/json', 'application/x-www-form-urlencoded'] };

function postOfTypes(types: object): Readonly<Record<string, unknown>> {
  return { method: 'post', url: 'https://example.com/', body_types: { parameter: 'content_type', types } };
}

describe('executor-http: paginate that is right', () => {
  const accepted = [
    { what: 'a cursor', next: { cursor } },
    { what: 'a page', next: { page: { parameter: 'page', first: 0 } } },
    { what: 'a link with a page', next: { link: { parameter: 'page' } } },
    { what: 'a link with a cursor', next: { link: { parameter: 'cursor' } } },
    { what: 'an offset', next: { offset: { parameter: 'offset', total_path: 'total' } } },
    { what: 'a URL', next: { url: { path: 'uri', parameters: { Page: 'page', PageToken: 'page_token' } } } },
    { what: 'a list as the answer', items: '', next: { offset: { parameter: 'offset' } } },
    {
      what: 'a post with the cursor in its body',
      next: { cursor },
      execution: { method: 'post', url: 'https://example.com/?n={per_page}', body: { start: '{cursor}' } },
    },
    {
      what: 'a post with the offset in a form',
      next: { offset: { parameter: 'offset' } },
      execution: { method: 'post', url: 'https://example.com/', form: { offset: '{offset}', n: '{per_page}' } },
    },
    {
      what: 'a post with the cursor in the body of each type',
      next: { cursor },
      parameters: { ...parameters, content_type: kind },
      execution: postOfTypes({
        'application/json': { body: { start: '{cursor}', n: '{per_page}' } },
        'application/x-www-form-urlencoded': { form: { start: '{cursor}' } },
      }),
    },
    {
      what: 'a cursor that is encoded first',
      next: { cursor },
      execution: {
        url: 'https://example.com/?n={per_page}&q={q}',
        parameter_encoding: { source: ['cursor'], target: 'q', encoding: 'base64' },
      },
    },
    {
      what: 'parameters in a JSON schema',
      next: { cursor },
      definition: {
        parameters: undefined,
        input_schema: { type: 'object', properties: { max_items: integer, per_page: integer, cursor: { type: 'string' } } },
      },
      execution: { url: 'https://example.com/?n={per_page}&cursor={cursor}' },
    },
  ];
  for (const { what, items = 'things', next, execution: own = execution, parameters: known = parameters, definition = {} } of accepted) {
    it(`may have ${what}`, async () => {
      const { problems } = await authTool({
        execution: own,
        parameters: known,
        definition: { paginate: { ...good, items, next }, ...definition },
      });
      expect(problems).to.deep.equal([]);
    });
  }
});

describe('executor-http: paginate that is wrong', () => {
  const refused: readonly {
    why: string;
    paginate: object;
    path: string;
    says: string;
    execution?: object;
    parameters?: object;
    definition?: object;
  }[] = [
    {
      why: 'a limit that is no parameter',
      paginate: { limit: 'max_item' },
      path: 'limit',
      says: 'names "max_item", which is no parameter. Did you mean "max_items"',
    },
    {
      why: 'a limit that is a text',
      paginate: { limit: 'note' },
      parameters: { ...parameters, note: { type: 'string' } },
      path: 'limit',
      says: 'not declared as an integer',
    },
    { why: 'a limit that is sent', paginate: { limit: 'page' }, path: 'limit', says: 'names "page", which the request sends' },
    { why: 'a limit that is a part of every object', paginate: { limit: 'constructor' }, path: 'limit', says: 'is no parameter' },
    {
      why: 'a size that is no parameter',
      paginate: { size: { parameter: 'count', maximum: 9 } },
      path: 'size.parameter',
      says: 'names "count", which is no parameter',
    },
    {
      why: 'a size that is a text',
      paginate: { size: { parameter: 'page_token', maximum: 9 } },
      path: 'size.parameter',
      says: 'not declared as an integer',
    },
    {
      why: 'a size that is not sent',
      paginate: { size: { parameter: 'unsent', maximum: 9 } },
      path: 'size.parameter',
      says: 'names "unsent", which the request does not send',
    },
    { why: 'a size of nothing', paginate: { size: { parameter: 'per_page', maximum: 0 } }, path: 'size.maximum', says: '>= 1' },
    {
      why: 'a cursor that is no parameter',
      paginate: { next: { cursor: { path: 'next', parameter: 'curser' } } },
      path: 'next.cursor.parameter',
      says: 'Did you mean "cursor"',
    },
    {
      why: 'a cursor that is not sent',
      paginate: { next: { cursor: { path: 'next', parameter: 'unsent' } } },
      path: 'next.cursor.parameter',
      says: 'does not send, so that every page would be the first one',
    },
    {
      why: 'a page that is a text',
      paginate: { next: { page: { parameter: 'cursor' } } },
      path: 'next.page.parameter',
      says: 'not declared as an integer',
    },
    {
      why: 'a link that is no parameter',
      paginate: { next: { link: { parameter: 'pages' } } },
      path: 'next.link.parameter',
      says: 'Did you mean "page"',
    },
    {
      why: 'an offset that is a text',
      paginate: { next: { offset: { parameter: 'cursor' } } },
      path: 'next.offset.parameter',
      says: 'not declared as an integer',
    },
    {
      why: 'a URL with what is no parameter',
      paginate: { next: { url: { path: 'uri', parameters: { Page: 'page', PageToken: 'pagetoken' } } } },
      path: 'next.url.parameters.PageToken',
      says: 'Did you mean "page_token"',
    },
    {
      why: 'a URL without parameters',
      paginate: { next: { url: { path: 'uri', parameters: {} } } },
      path: 'next.url.parameters',
      says: 'fewer than 1',
    },
    {
      why: 'a parameter that is taken for a credential',
      paginate: { next: { cursor: { path: 'next', parameter: 'page_token' } } },
      parameters: { ...parameters, page_token: { type: 'string', auth: true } },
      path: 'next.cursor.parameter',
      says: 'Say "auth: false" on the parameter',
    },
    { why: 'two ways to the next page', paginate: { next: { cursor, page: { parameter: 'page' } } }, path: 'next', says: 'more than 1' },
    { why: 'no way to the next page', paginate: { next: {} }, path: 'next', says: 'fewer than 1' },
    { why: 'a mistyped way', paginate: { next: { pages: { parameter: 'page' } } }, path: 'next.pages', says: 'Did you mean "page"' },
    { why: 'a cursor in an answer that is a list', paginate: { items: '' }, path: 'items', says: 'which has nothing at "next"' },
    {
      why: 'a total in an answer that is a list',
      paginate: { items: '', next: { offset: { parameter: 'offset', total_path: 'total' } } },
      path: 'items',
      says: 'nothing at "total"',
    },
    {
      why: 'a delete',
      paginate: {},
      execution: { ...execution, method: 'delete' },
      path: '',
      says: 'which the method "delete" does not allow',
    },
    {
      why: 'a post with the cursor in the body of one type only',
      paginate: {},
      parameters: { ...parameters, content_type: kind },
      execution: postOfTypes({
        'application/json': { body: { start: '{cursor}', n: '{per_page}' } },
        'application/x-www-form-urlencoded': { form: { n: '{per_page}' } },
      }),
      path: '',
      says: 'with the parameter of the next page in the body of each type',
    },
    {
      why: 'a post with the cursor in its query',
      paginate: {},
      execution: { ...execution, method: 'post', body: {} },
      path: '',
      says: 'Expected "get", or "post"',
    },
  ];
  for (const { why, paginate, path, says, ...more } of refused) {
    it(`is refused for ${why}`, async () => {
      const definition = { paginate: { ...good, ...paginate }, ...more.definition };
      const { kernel, problems } = await authTool({ execution, parameters, ...more, definition } as Parameters<typeof authTool>[0]);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ code, path: at }) => ({ code, at }))).to.deep.equal([
        { code: 'TOOL_INVALID', at: path === '' ? 'paginate' : `paginate.${path}` },
      ]);
      expect(errors[0]?.message).to.include(says);
      expect(kernel.registry.tools.size).to.equal(0);
    });
  }

  it('is refused for one parameter in two places, at both', async () => {
    const paginate = { ...good, size: { parameter: 'page', maximum: 9 }, next: { page: { parameter: 'page' } } };
    const { problems } = await authTool({ execution, parameters, definition: { paginate } });
    expect(problems.map(({ path }) => path)).to.deep.equal(['paginate.size.parameter', 'paginate.next.page.parameter']);
  });

  it('is refused where no plugin puts it into effect', async () => {
    const kernel = await testKernel({
      tools: [{ name: 'probe', description: 'Probe.', parameters, paginate: good, execution: { type: 'function', handler: () => null } }],
      plugins: [executorHttp()],
    });
    expect(kernel.registry.problems.map(({ path, severity }) => ({ path, severity }))).to.deep.equal([
      { path: 'paginate', severity: 'error' },
    ]);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { HttpExecution } from '../../../../../plugins/executor-http/definition/execution.ts';
import { isValuePart } from '../../../../../plugins/executor-http/definition/multipart.ts';
import { isStyled } from '../../../../../plugins/executor-http/definition/styled.ts';
import { json, loopback } from '../../../../support/loopback.ts';
import { httpTool } from '../../http-tool.ts';

const tools = path.resolve(import.meta.dirname, '../../../../../tools');

/** Returns the executions of all http tools that come with this program, by file. */
async function shippedExecutions(): Promise<readonly (readonly [string, HttpExecution])[]> {
  const names = (await readdir(tools, { recursive: true })).filter((name) => name.endsWith('.yaml') && !name.includes('node_modules'));
  const executions = await Promise.all(
    names.map(async (name): Promise<[string, HttpExecution] | undefined> => {
      const text = await readFile(path.join(tools, name), 'utf8');
      // Most of the others are long.
      if (!/\btype: http\b/.test(text)) return undefined;
      const { execution } = parse(text) as { execution?: HttpExecution & { type: string } };
      return execution?.type === 'http' ? [name, execution] : undefined;
    }),
  );
  return executions.filter((entry) => entry !== undefined);
}

const object = { k: 'v ä', n: 9, z: null };
const values = { t: "a b+c&d=é'(*)!~", e: '', list: ['x,y', 2, null, 'z|w'], object, n: 1.5, b: false, big: '9007199254740993' };
const parameters = { ...Object.fromEntries([...Object.keys(values), 'none'].map((name) => [name, {}])), big: { type: 'integer' } };

const query =
  't=a+b%2Bc%26d%3D%C3%A9%27%28*%29%21%7E&e=&list=x%2Cy&list=2&list=z%7Cw&object=%7B%22k%22%3A%22v+%C3%A4%22%2C%22n%22%3A9%2C%22z%22%3Anull%7D';
const rest =
  'n=1.5&b=false&big=9007199254740993&text=%3Ca+b%2Bc%26d%3D%C3%A9%27%28*%29%21%7E%3E&more=%7B%22value%22%3A%22%22%2C%22extra%22%3A1%7D';
const members = {
  t: '{t}',
  e: '{e}',
  list: '{list}',
  object: '{object}',
  n: '{n}',
  b: '{b}',
  big: '{big}',
  none: '{none}',
  text: '<{t}>',
  more: { value: '{e}', extra: 1 },
};

/** Requests as they were before values could have styles in every place. */
const table = [
  { what: 'a query', execution: { method: 'get', query_params: members }, url: `/?${query}&${rest}`, body: '' },
  {
    what: 'a path',
    execution: { method: 'get', path: '/{t}/{list}/{object}/x{n}?q={t}#{t}' },
    url: "/a%20b%2Bc%26d%3D%C3%A9'(*)!~/%5B%22x%2Cy%22%2C2%2Cnull%2C%22z%7Cw%22%5D/%7B%22k%22%3A%22v%20%C3%A4%22%2C%22n%22%3A9%2C%22z%22%3Anull%7D/x1.5?q=a%20b%2Bc%26d%3D%C3%A9%27(*)!~",
    body: '',
  },
  { what: 'a form', execution: { form: members }, url: '/', body: `${query}&${rest}`, type: 'application/x-www-form-urlencoded' },
  {
    what: 'headers',
    execution: {
      method: 'get',
      headers: { 'X-Text': '{n} {b}', 'X-List': '{list}', 'X-Big': '{big}', 'X-None': '{none}', Cookie: 'a={n}; b={b}' },
    },
    url: '/',
    body: '',
    headers: {
      'x-text': '1.5 false',
      'x-list': '["x,y",2,null,"z|w"]',
      'x-big': '9007199254740993',
      cookie: 'a=1.5; b=false',
    },
  },
  {
    what: 'an XML text',
    execution: { headers: { 'Content-Type': 'application/xml' }, body: '{t}' },
    url: '/',
    body: values.t,
    type: 'application/xml',
  },
  { what: 'an object of which nothing is given', execution: { body: { a: '{none}' } }, url: '/', body: '{}', type: 'application/json' },
  {
    what: 'a form of which nothing is given',
    execution: { form: { a: '{none}' } },
    url: '/',
    body: '',
    type: 'application/x-www-form-urlencoded',
  },
  { what: 'a text that is not given', execution: { body: '{none}' }, url: '/', body: '', type: undefined },
  {
    what: 'JSON',
    execution: { body: { big: '{big}', d: { value: '{n}', style: 'form' }, object: '{object}' } },
    url: '/',
    body: '{"big":9007199254740993,"d":{"value":1.5,"style":"form"},"object":{"k":"v ä","n":9,"z":null}}',
    type: 'application/json',
  },
];

describe('executor-http: values without a style', () => {
  it('are all that the tools have which come with this program, except for lists with commas in two queries', async () => {
    const executions = await shippedExecutions();
    expect(executions.length).to.be.greaterThan(100);
    for (const [file, execution] of executions) {
      const { query_params = {}, headers = {}, form = {}, multipart = {} } = execution;
      const others = [headers, form].flatMap((all) => Object.values(all).filter(isStyled));
      expect([...others, ...Object.values(multipart).filter(isValuePart)], file).to.deep.equal([]);
      for (const described of Object.values(query_params).filter(isStyled))
        expect(described, file).to.include({ style: 'form', explode: false }).and.to.have.all.keys('value', 'style', 'explode');
      expect(execution, file).to.not.have.any.keys('path_params', 'cookies', 'body_types', 'body_optional');
    }
    const withLists = executions.filter(([, { query_params = {} }]) => Object.values(query_params).some(isStyled)).map(([file]) => file);
    expect(withLists).to.have.members(['mailchimp/mailchimp_get_lists.yaml', 'mailchimp/mailchimp_get_list_members.yaml']);
  });

  for (const { what, execution, url: sent, body, type, headers } of table)
    it(`are sent as before: ${what}`, async () => {
      const { url, requests: seen } = await loopback((_request, response) => json(response, {}));
      const { path: place = '/', ...keys } = execution as { path?: string };
      const call = await httpTool({ execution: { method: 'post', url: `${url}${place}`, ...keys }, parameters });
      await call(values);
      expect(seen[0]?.body).to.equal(body);
      expect(seen[0]?.url).to.equal(sent);
      expect(seen[0]?.headers['content-type']).to.equal(type);
      expect(seen[0]?.headers)
        .to.deep.include(headers ?? {})
        .and.to.not.have.property('x-none');
    });
});

import { expect } from 'chai';
import { before } from 'mocha';
import { echo, good, outcome, projectWithRunner, type Seen, variables } from './session.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
const withBody: readonly string[] = ['POST', 'PUT', 'PATCH'];

describe('a collection that the tools have made, with the real runner', () => {
  const session = projectWithRunner();

  it('has requests of every method, with headers, body, tests and documentation, which the runner sends', async () => {
    const { call, write } = await session();
    const { url, seen } = await echo();
    expect(outcome(await call('create_collection', { collection_name: 'Grüße 世界', collection_path: 'c/pets' }))).to.deep.equal(good);
    for (const method of methods) {
      const added = await call('add_request', {
        collection_path: 'c/pets',
        request_name: `do-${method.toLowerCase()}`,
        method,
        url: '{base}/pets/{{id}}?q=ü&x={id}',
        headers: { 'X-Trace': 'a {b} "c": {{id}}', Accept: 'application/json' },
        ...(withBody.includes(method) ? { body: '{ "id": "{{id}}", "nested": { "a": [1] } }' } : {}),
        tests: `test("is ${method}", function () {\n  expect(res.getStatus()).to.equal(200);\n  if (true) {\n  }\n});`,
        documentation: 'About } it\n\n}\n',
      });
      expect(outcome(added), method).to.deep.equal(good);
    }
    await write('v.json', variables({ base: url, id: '7' }));
    const run = await call('run_collection', { collection_path: 'c/pets', env_file: 'v.json' });
    expect(outcome(run)).to.deep.equal(good);
    expect(run['summary']).to.include({ total_requests: 7, passed: 7, failed: 0, total: 7, iterations: 1 });
    expect(seen.map(({ method }) => method)).to.deep.equal([...methods]);
    for (const { method, url: path, headers, body } of seen) {
      expect(path).to.equal('/pets/7?q=%C3%BC&x=7');
      expect(headers).to.include({ 'x-trace': 'a {b} "c": 7', accept: 'application/json' });
      if (withBody.includes(method)) expect(JSON.parse(body)).to.deep.equal({ id: '7', nested: { a: [1] } });
      else expect(body).to.equal('');
    }
    const { collection } = await call('get_collection_info', { collection_path: 'c/pets' });
    expect(collection.requests.map(({ name }: { name: string }) => name)).to.deep.equal(
      methods.map((method) => `do-${method.toLowerCase()}`),
    );
    const { collections } = await call('list_collections', { workspace_path: '.', filter: 'grüße' });
    expect(collections).to.have.length(1);
    expect(collections[0]).to.include({ name: 'Grüße 世界', request_count: 7 });
  });

  describe('sends as it was written a body that is', () => {
    const bodies = [
      { name: 'xml', what: 'XML', headers: { 'Content-Type': 'application/xml' }, body: '<a>{{v}}</a>', sent: '<a>hallo</a>', type: /xml/ },
      { name: 'text', what: 'plain text', body: 'one {{v}}\n\n  two }\n}', sent: 'one hallo\n\n  two }\n}', type: /text\/plain/ },
      { name: 'json', what: 'JSON with a bare variable', body: '{"n": {{n}}}', sent: '{"n": 3}', type: /application\/json/ },
    ];
    let seen: readonly Seen[];

    before(async () => {
      const { call, write } = await session();
      const server = await echo();
      await call('create_collection', { collection_name: 'Bodies', collection_path: 'bodies' });
      for (const { name, headers = {}, body } of bodies) {
        const request = { request_name: name, method: 'POST', url: `{base}/${name}`, headers, body };
        expect(outcome(await call('add_request', { collection_path: 'bodies', ...request }))).to.deep.equal(good);
      }
      await write('v.json', variables({ base: server.url, v: 'hallo', n: '3' }));
      expect(outcome(await call('run_collection', { collection_path: 'bodies', env_file: 'v.json' }))).to.deep.equal(good);
      ({ seen } = server);
    });

    for (const { name, what, sent, type } of bodies) {
      it(what, () => {
        const request = seen.find(({ url }) => url === `/${name}`);
        expect(request?.body).to.equal(sent);
        expect(request?.headers['content-type']).to.match(type);
      });
    }
  });
});

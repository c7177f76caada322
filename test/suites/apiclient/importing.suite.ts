import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { sourceFolders } from '../vendors/source-folders.ts';
import { echo, good, outcome, projectWithRunner, variables } from './session.ts';

const operation = (operationId: string, tag: string, more: object = {}): object => ({
  operationId,
  summary: `Does ${operationId}`,
  tags: [tag],
  responses: { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' }, example: { ok: true } } } } },
  ...more,
});

const id = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' }, example: 7 };

/** An OpenAPI document with paths, parameters, bodies and two tags. */
function openapi(url: string): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Pet Store: Größe', version: '1.0.0' },
    servers: [{ url: `${url}/v1` }],
    paths: {
      '/pets': {
        get: operation('listPets', 'pets', {
          parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' }, example: 3 }],
        }),
        post: operation('addPet', 'pets', {
          requestBody: {
            content: {
              'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } }, example: { name: 'Rex' } },
            },
          },
        }),
      },
      '/pets/{petId}': {
        parameters: [id],
        get: operation('getPet', 'pets', { parameters: [id] }),
        delete: operation('deletePet', 'pets', { parameters: [id] }),
      },
      '/orders': { get: operation('listOrders', 'orders') },
    },
  };
}

const sent = ['DELETE /v1/pets/7', 'GET /v1/orders', 'GET /v1/pets', 'GET /v1/pets/7', 'POST /v1/pets'];

describe('importing an OpenAPI document with the real runner', () => {
  const session = projectWithRunner();

  // The other two pairs: the vendors' descriptions below.
  for (const { format, groupBy } of [
    { format: 'bru', groupBy: 'path' },
    { format: 'opencollection', groupBy: 'tags' },
  ] as const) {
    it(`makes a collection of ${format} by ${groupBy}, which runs`, async () => {
      const { call, write, folder } = await session();
      const { url, seen } = await echo();
      await write('openapi.json', JSON.stringify(openapi(url)));
      const made = await call('import_openapi', {
        spec_source: 'openapi.json',
        output_directory: 'made/here',
        collection_format: format,
        group_by: groupBy,
      });
      expect(outcome(made)).to.deep.equal(good);
      expect(made).to.include({ requests_created: 5, collection_name: 'Pet Store: Größe' });
      expect(made['collection_path']).to.equal(path.join(folder, 'made/here/Pet Store- Größe'));
      expect(await readdir(path.join(folder, 'made/here'))).to.deep.equal(['Pet Store- Größe']);
      const descriptors = format === 'bru' ? ['apiclient.json', 'bruno.json'] : ['opencollection.yml'];
      expect(await readdir(made['collection_path'])).to.include.members([...descriptors, 'environments']);
      const { collection } = await call('get_collection_info', { collection_path: made['collection_path'] });
      expect(collection.requests).to.have.length(5);
      const [environment] = collection.environments;
      const run = await call('run_collection', { collection_path: made['collection_path'], environment: environment.name });
      expect(run['summary']).to.include({ total_requests: 5, passed: 5 });
      expect(seen.map(({ method, url: target }) => `${method} ${target}`).sort()).to.deep.equal(sent);
      if (format === 'bru') expect(await readFile(path.join(made['collection_path'], 'apiclient.json'), 'utf8')).to.include('Pet Store');
    });
  }

  // The vendors' descriptions lie beside the project, where there are any.
  const { specs } = sourceFolders();
  for (const { vendor, format, groupBy, count } of [
    { vendor: 'github', format: 'opencollection', groupBy: 'path', count: 22 },
    { vendor: 'hubspot', format: 'bru', groupBy: 'tags', count: 50 },
  ].filter(({ vendor: name }) => existsSync(path.join(specs, `${name}.json`)))) {
    it(`takes the description of ${vendor}, and every request of it runs`, async () => {
      const { call, write } = await session();
      const { url, seen } = await echo();
      await write('openapi.json', await readFile(path.join(specs, `${vendor}.json`), 'utf8'));
      const given = { spec_source: 'openapi.json', output_directory: 'out', collection_format: format, group_by: groupBy };
      const made = await call('import_openapi', given);
      expect(outcome(made)).to.deep.equal(good);
      expect(made['requests_created']).to.equal(count);
      await write('v.json', variables({ baseUrl: url }));
      const run = await call('run_collection', { collection_path: made['collection_path'], env_file: 'v.json' });
      expect(outcome(run)).to.deep.equal(good);
      expect(seen).to.have.length(count);
    });
  }

  it('takes a document that an address serves, under a name of its own, and leaves alone what is there', async () => {
    const { call, folder } = await session();
    const document = JSON.stringify(openapi('http://127.0.0.1:1'));
    const server = createServer((_request, response) => response.end(document));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const given = { spec_source: `http://127.0.0.1:${port}/api.json`, output_directory: 'out', collection_name: '-Mine' };
    const made = await call('import_openapi', given);
    const again = await call('import_openapi', given);
    server.close();
    expect(outcome(made)).to.deep.equal(good);
    expect(again.success).to.equal(false);
    expect(again.errors.join()).to.include('not empty');
    expect(await readdir(path.join(folder, 'out'))).to.deep.equal(['Mine']);
  });
});

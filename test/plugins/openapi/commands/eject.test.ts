import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { addCommand } from '../../../../plugins/openapi/commands/add/command.ts';
import { ejectCommand } from '../../../../plugins/openapi/commands/eject/command.ts';
import { openapi } from '../../../../plugins/openapi/index.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { afterEach } from '../../../support/after-each.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { project, run } from '../project.ts';

const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Received {
  readonly request: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A service that notes requests. */
async function service(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { host: _host, ...headers } = request.headers;
    received.push({ request: `${request.method} ${request.url}`, headers, body });
    response.setHeader('content-type', 'application/json').end('{"isbn": "1", "title": "One"}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A folder in which the document was added. */
async function added(server = 'https://library.example/v1') {
  const folder = await project();
  await run(addCommand, folder, ['library.json'], { server });
  const configFile = path.join(folder, 'toolkit.config.yaml');
  const config = async (): Promise<{ plugins: unknown[] }> => parse(await readFile(configFile, 'utf8')) as { plugins: unknown[] };
  const sources = { library: { document: './library.json', overlay: './library.overlay.yaml', server } };
  const eject = (operation: string, flags = {}) => run(ejectCommand, folder, ['library', operation], flags, { configFile, sources });
  return { folder, config, eject, sources };
}

describe('toolkit openapi eject', () => {
  it('writes the tool and its provider, and leaves the operation out of the source', async () => {
    const { folder, config, eject } = await added();
    const { out, error } = await eject('getBook');
    expect(error).to.equal(undefined);
    expect(out).to.include('tools/my_library/get_book.yaml').and.include('my_library_get_book --help');
    const { plugins } = await config();
    expect(plugins[0]).to.deep.equal(['toolkit/standard', { toolPaths: ['./tools'] }]);
    expect(JSON.stringify(plugins[1])).to.include('"exclude":{"operations":["getBook"]}');
    const provider = parse(await readFile(path.join(folder, 'tools/my_library/definition.yaml'), 'utf8')) as { provider: { name: string } };
    expect(provider.provider.name).to.equal('my_library');
  });

  it('writes a tool that makes the same request', async () => {
    const { url, received } = await service();
    const { folder, eject, sources } = await added(`${url}/v1`);
    for (const operation of ['getBook', 'addBook', 'listBooks']) expect((await eject(operation)).error).to.equal(undefined);
    const secrets = { LIBRARY_TOKEN: 'letmein' };
    const plugins = [
      standard({
        includeCore: false,
        autoDiscover: false,
        toolPaths: ['./tools'],
        secretResolver: { resolvers: [{ type: 'env', env: secrets }] } as never,
      }),
      openapi({ sources }),
    ];
    const kernel = await bareKernel({ cwd: folder, plugins: plugins as never });
    expect(kernel.registry.problems.filter(({ severity }) => severity === 'error')).to.deep.equal([]);
    const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['library_get_book', { isbn: 'a b/c' }],
      ['library_list_books', { genre: 'poetry', limit: 3 }],
      ['library_add_book', { isbn: '1', title: 'One' }],
    ];
    for (const [tool, parameters] of calls)
      for (const name of [tool, `my_${tool}`]) await kernel.call({ tool: name, parameters, approved: true }).catch(() => {});
    expect(received).to.have.length(6);
    for (const index of [0, 2, 4]) expect(received[index + 1]).to.deep.equal(received[index]);
    expect(received[0]?.headers.authorization).to.equal('Bearer letmein');
  });

  it('keeps a provider that is there already, and refuses to write a tool twice', async () => {
    const { eject } = await added();
    await eject('getBook');
    expect((await eject('delete /books/{isbn}')).out).not.to.include('definition.yaml');
    expect((await eject('library_get_book')).error?.message).to.match(/get_book\.yaml is there already/);
  });

  it('refuses what is no operation, and a name that only the source may have', async () => {
    const { eject } = await added();
    expect((await eject('library_get_bok')).error?.message).to.include('Did you mean "library_get_book"');
    expect((await eject('getBook', { name: 'library_mine' })).error?.message).to.include('names that begin with library_');
    expect((await eject('getBook', { name: '../x' })).error?.message).to.include('no name of a tool');
  });
});

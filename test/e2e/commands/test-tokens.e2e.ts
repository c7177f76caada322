import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach } from '../../support/after-each.ts';
import { project } from '../project.ts';
import { toolkitTest } from './toolkit-test.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

const planted = ['pl4nted-access-0123', 'pl4nted-refresh-0123', 'pl4nted-cookie-0123', 'pl4nted-key-0123'];

/** A service that gives tokens out, wants them back in many places, and repeats what it was sent. */
async function service(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [access, refresh, cookie] = planted;
      const echo = { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `sid=${cookie}; Path=/`, 'x-api-key': planted[3] });
      if (request.url === '/login')
        response.end(JSON.stringify({ access_token: access, nested: JSON.stringify({ refresh_token: refresh }) }));
      else response.end(JSON.stringify({ as: 'ann', echo: JSON.stringify(echo) }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const code = `
export const who = async ({ url }, { fetch }) => {
  const login = await fetch(url + '/login', { method: 'POST', body: JSON.stringify({ name: 'ann' }) });
  const { access_token: token, nested } = await login.json();
  const { refresh_token: refresh } = JSON.parse(nested);
  const headers = { authorization: 'Bearer ' + token, cookie: 'sid=' + token, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ refresh_token: refresh, state: JSON.stringify({ id_token: refresh }) });
  const answer = await fetch(url + '/me?access_token=' + token + '&session=' + token, { method: 'POST', headers, body });
  const { as, echo } = await answer.json();
  return { as, token, echo };
};
`;

describe('toolkit test --record of a tool that logs in itself', () => {
  it('writes no token that it got or sent, and what it writes passes offline', async () => {
    const url = await service();
    const cwd = await project({
      'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [./tools], allowHosts: [127.0.0.1] }]\n',
      'tools/shop_who.yaml': `name: shop_who
description: Says who is logged in at the shop.
risk: low
parameters: { url: { type: string, required: true, description: The address of the shop. } }
execution: { type: function, code: ./who.mjs#who }
examples:
  - { description: Me, parameters: { url: '${url}' } }
`,
      'tools/who.mjs': code,
    });
    const recorded = await toolkitTest(cwd, ['shop_who', '--record']);
    expect(recorded.code, recorded.stdout + recorded.stderr).to.equal(0);
    const text = await readFile(path.join(cwd, 'tools/shop_who.cassette.json'), 'utf8');
    expect(text).to.not.include('pl4nted');
    expect(decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))).to.not.include('pl4nted');
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    const again = await toolkitTest(cwd, ['shop_who']);
    expect(again.code, again.stdout + again.stderr).to.equal(0);
  });
});

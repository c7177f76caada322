import { readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { get, serving, text } from '../../../support/route-server.ts';
import { send, token, until, wireServer } from '../../../support/wire.ts';

/** The lines of the log, once there are so many. */
function linesIn(file: string, count: number): Promise<readonly Record<string, unknown>[]> {
  return until(async () => {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    return lines.length < count ? undefined : lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  });
}

describe('the access log', () => {
  it('has one line for each request, with no token and nothing of a query', async () => {
    const file = path.join(await temporaryFolder(), 'access.log');
    const { port } = await wireServer({ accessLog: file });
    await send(port, { method: 'GET', path: '/live?key=of-a-query' });
    await send(port, { path: `/${token}/secret?token=${token}` });
    await send(port, { headers: { authorization: 'Bearer another-token' } });
    const lines = await linesIn(file, 3);
    expect(lines.map(({ method, path: at, status, caller, address }) => ({ method, at, status, caller, address }))).to.deep.equal([
      { method: 'GET', at: '/live', status: 200, caller: undefined, address: '127.0.0.1' },
      { method: 'POST', at: '/[secret MCP_TOKEN]/secret', status: 404, caller: 'default', address: '127.0.0.1' },
      { method: 'POST', at: '/mcp', status: 401, caller: undefined, address: '127.0.0.1' },
    ]);
    expect(lines[0]).to.have.all.keys('time', 'address', 'method', 'path', 'status', 'duration_ms');
    const text = await readFile(file, 'utf8');
    for (const hidden of [token, 'another-token', 'of-a-query']) expect(text).not.to.include(hidden);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('has nothing of what is below the route of a plugin, where a login may have its id', async () => {
    const file = path.join(await temporaryFolder(), 'access.log');
    const { port } = await serving({ '/connect/': text('page'), '/callback': text('done') }, { accessLog: file });
    for (const target of [
      '/connect/an-id?code=of-a-query',
      '/callback?code=of-a-query',
      'http://localhost/connect/an-id',
      '/connect/../an-id',
    ])
      expect((await get(port, target)).status).to.equal(200);
    expect((await linesIn(file, 4)).map(({ path: at }) => at)).to.deep.equal(['/connect/…', '/callback', '/connect/…', '/connect/…']);
    expect(await readFile(file, 'utf8'))
      .to.not.include('an-id')
      .and.not.include('of-a-query');
  });

  it('goes on in a new file after a reload', async () => {
    const file = path.join(await temporaryFolder(), 'access.log');
    const { port, kernel } = await wireServer({ accessLog: file });
    await send(port, { method: 'GET', path: '/live' });
    await linesIn(file, 1);
    await rename(file, `${file}.1`);
    await kernel.reload();
    await send(port, { method: 'GET', path: '/ready' });
    expect((await linesIn(file, 1))[0]).to.include({ path: '/ready' });
  });

  it('may be the log of the server', async () => {
    const { port, records } = await wireServer({ accessLog: 'log' });
    await send(port, { method: 'GET', path: '/live' });
    const record = await until(() => records.find(({ message }) => message === 'request'));
    expect(record.meta).to.include({ method: 'GET', path: '/live', status: 200 });
  });
});

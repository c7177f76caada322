import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { loopback, type SeenRequest } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { webTool } from './web-tool.ts';

const feed = '<rss version="2.0"><channel><title>Feed</title></channel></rss>';
const page = '<!doctype html><title>Page</title><p>the page</p>';
const sitemap = '<urlset><url><loc>http://a.example/</loc></url></urlset>';

/** Answers 302 to itself with a cookie, and with the page once the cookie comes. */
function wall(text: string, type: string): (request: SeenRequest, response: ServerResponse) => void {
  return ({ headers }, response) => {
    if (headers.cookie === undefined) response.writeHead(302, { 'set-cookie': 'a=1; Path=/', location: '/' }).end();
    else response.writeHead(200, { 'content-type': type }).end(text);
  };
}

const readers: { tool: string; text: string; type: string; more?: object; gives: string }[] = [
  { tool: 'web_fetch', text: page, type: 'text/html', gives: 'the page' },
  { tool: 'web_head', text: page, type: 'text/html', gives: '200' },
  { tool: 'web_download', text: page, type: 'text/html', more: { path: 'page.html' }, gives: 'text/html' },
  { tool: 'web_request', text: '{"a":1}', type: 'application/json', more: { method: 'GET' }, gives: '200' },
  { tool: 'web_read_feed', text: feed, type: 'application/rss+xml', gives: 'Feed' },
  { tool: 'web_read_sitemap', text: sitemap, type: 'application/xml', gives: 'http://a.example/' },
  { tool: 'web_extract_metadata', text: page, type: 'text/html', gives: 'Page' },
];

describe('a site that wants its cookie back', () => {
  for (const { tool, text, type, more = {}, gives } of readers) {
    it(`is read by ${tool}`, async () => {
      const { url, requests } = await loopback(wall(text, type));
      const call = await webTool(tool, tool === 'web_download' ? await temporaryFolder({}) : undefined);
      expect(JSON.stringify(await call({ url, ...more }))).to.include(gives);
      expect(requests.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, 'a=1']);
    });
  }

  it('gets it in one chain, and not in that of the next call', async () => {
    const { url, requests } = await loopback(wall(page, 'text/html'));
    const call = await webTool('web_fetch');
    await call({ url });
    await call({ url });
    expect(requests.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, 'a=1', undefined, 'a=1']);
  });

  it('gets no cookie of another one, and gives it none', async () => {
    const back = { url: '' };
    const other = await loopback((_, response) => {
      response.writeHead(302, { 'set-cookie': 'of=other; Path=/', location: `${back.url}/end` }).end();
    });
    const first = await loopback(({ url }, response) => {
      if (url === '/end') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      else response.writeHead(302, { 'set-cookie': 'of=first; Path=/', location: other.url }).end();
    });
    back.url = first.url;
    const call = await webTool('web_request');
    await call({ method: 'GET', url: first.url, headers: { 'x-api-key': 'planted' } });
    expect(other.requests.map(({ headers }) => [headers.cookie, headers['x-api-key']])).to.deep.equal([[undefined, undefined]]);
    expect(first.requests.map(({ headers }) => [headers.cookie, headers['x-api-key']])).to.deep.equal([
      [undefined, 'planted'],
      ['of=first', undefined],
    ]);
  });

  it('does not see its token in what the call says', async () => {
    const { url } = await loopback(({ headers }, response) => {
      if (headers.cookie === undefined) response.writeHead(302, { 'set-cookie': 'sid=s3ss10n-t0ken-planted; Path=/', location: '/' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(`you sent ${headers.cookie}`);
    });
    const call = await webTool('web_fetch');
    expect(JSON.stringify(await call({ url })))
      .to.include('[secret cookie]')
      .and.to.not.include('planted');
  });
});

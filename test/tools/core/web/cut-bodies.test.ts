import { expect } from 'chai';
import { type CodedBody, cutBodies, sendCoded } from '../../../support/coded-bodies.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type CallWeb, webTool } from './web-tool.ts';

const page = `<!doctype html><title>Page</title><article>${'<p>Some words of the page, <a href="/a">and a link</a>.</p>'.repeat(60)}</article>`;
const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>http://a.example/</link>${'<item><title>One</title></item>'.repeat(60)}</channel></rss>`;
const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${'<url><loc>http://a.example/</loc></url>'.repeat(60)}</urlset>`;

/** Tools that read what an address answers, with their other parameters. */
const readers: { tool: string; text: string; type: string; more?: object }[] = [
  { tool: 'web_fetch', text: page, type: 'text/html' },
  { tool: 'web_download', text: page, type: 'text/html', more: { path: 'page.html' } },
  { tool: 'web_request', text: '{"a":1}', type: 'application/json', more: { method: 'GET' } },
  { tool: 'web_graphql', text: '{"data":{"a":1}}', type: 'application/json', more: { query: '{ a }', operation: 'query' } },
  { tool: 'web_read_feed', text: feed, type: 'application/rss+xml' },
  { tool: 'web_read_sitemap', text: sitemap, type: 'application/xml' },
  { tool: 'web_extract_article', text: page, type: 'text/html' },
  { tool: 'web_extract_links', text: page, type: 'text/html' },
  { tool: 'web_select', text: page, type: 'text/html', more: { selector: 'p' } },
];

async function answered(tool: string, body: CodedBody, type: string, more: object): Promise<ReturnType<CallWeb>> {
  const { url } = await loopback((_, response) => sendCoded(response, body, type));
  const call = await webTool(tool, tool === 'web_download' ? await temporaryFolder({}) : undefined);
  return call({ url, ...more });
}

describe('a compressed body of a web tool that is cut off', () => {
  for (const { tool, text, type, more = {} } of readers) {
    it(`is an error of ${tool}`, async () => {
      for (const body of cutBodies(text)) {
        const error = await rejection(answered(tool, body, type, more), 'UPSTREAM_UNAVAILABLE');
        expect(error.message, body.name).to.include('gave no whole answer');
      }
    });
  }
});

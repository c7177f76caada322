import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { send } from './fetching.ts';
import { awkwardSite, charsets, plain } from './site.ts';
import { type CallWeb, webTool } from './web-tool.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Tools that read a page, what else they need, and the parameters with which they wait only shortly. */
const readers: readonly { readonly name: string; readonly more: Parameters; readonly impatient?: Parameters }[] = [
  { name: 'web_fetch', more: {}, impatient: { timeout_ms: 300 } },
  { name: 'web_extract_links', more: {} },
  { name: 'web_extract_metadata', more: {} },
  { name: 'web_extract_article', more: {} },
  { name: 'web_extract_tables', more: {} },
  { name: 'web_select', more: { selector: 'a' } },
  { name: 'web_read_feed', more: {} },
  { name: 'web_read_sitemap', more: {} },
  { name: 'web_download', more: { path: 'saved' } },
];

async function reader(name: string, more: Parameters): Promise<(url: string, further?: Parameters) => ReturnType<CallWeb>> {
  const call = await webTool(name, await temporaryFolder());
  return (url, further = {}) => call({ url, ...more, ...further });
}

/** Pages that no reading tool can read, with the message of the failure. */
const failures: readonly { readonly at: string; readonly code: ErrorCode; readonly says: string }[] = [
  { at: '/status/404', code: 'NOT_FOUND', says: 'answered 404' },
  { at: '/status/410', code: 'NOT_FOUND', says: 'answered 410' },
  { at: '/status/500', code: 'UPSTREAM_UNAVAILABLE', says: 'answered 500' },
  { at: '/status/500/endless', code: 'UPSTREAM_UNAVAILABLE', says: 'answered 500' },
  { at: '/cut', code: 'UPSTREAM_UNAVAILABLE', says: 'gave no whole answer' },
  { at: '/cut-chunked', code: 'UPSTREAM_UNAVAILABLE', says: 'gave no whole answer' },
  { at: '/compressed/broken', code: 'UPSTREAM_UNAVAILABLE', says: 'gave no whole answer' },
  { at: '/compressed/cut', code: 'UPSTREAM_UNAVAILABLE', says: 'gave no whole answer' },
  { at: '/redirect/loop', code: 'UPSTREAM_UNAVAILABLE', says: 'redirects more than 20 times' },
  { at: '/redirect/user', code: 'UPSTREAM_UNAVAILABLE', says: 'with a user name' },
  { at: '/redirect/private', code: 'OUTBOUND_BLOCKED', says: '10.0.0.1' },
  { at: '/redirect/metadata', code: 'OUTBOUND_BLOCKED', says: 'a9fe:a9fe' },
  { at: '/redirect/other-host', code: 'OUTBOUND_BLOCKED', says: '127.0.0.2' },
];

for (const { name, more, impatient } of readers) {
  describe(`${name} of an awkward site`, () => {
    it('fails with the code that fits, and gives no secret away', async () => {
      const site = await awkwardSite();
      const read = await reader(name, more);
      for (const { at, code, says } of failures) {
        const error = await rejection(read(`${site.url}${at}`), code);
        expect(error.message, at).to.include(says).and.not.include('word');
      }
    });

    if (impatient !== undefined) {
      for (const at of ['/silent', '/drip']) {
        it(`gives up when ${at} does not go on`, async () => {
          const site = await awkwardSite();
          await rejection((await reader(name, more))(`${site.url}${at}`, impatient), 'TIMEOUT');
        });
      }
    }
  });
}

describe('the pages of an awkward site', () => {
  for (const [charset, { title }] of Object.entries(charsets)) {
    it(`are read in the encoding of "${charset}"`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}/charset/${encodeURIComponent(charset)}`;
      expect(await (await webTool('web_extract_metadata'))({ url })).to.include({ title });
      expect((await (await webTool('web_request'))({ method: 'GET', url }))['body']).to.include(`<title>${title}</title>`);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`are found behind a redirect of status ${status}`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}/redirect/${status}`;
      expect(await (await webTool('web_fetch'))({ url })).to.include({ url: `${site.url}/page`, title: 'Seite' });
      expect(await (await webTool('web_head'))({ url })).to.deep.include({ url: `${site.url}/page`, redirects: [{ url, status }] });
    });
  }

  it('are found at the end of a chain, where links are relative to the last address', async () => {
    const site = await awkwardSite();
    const url = `${site.url}/redirect/chain`;
    const { redirects } = await (await webTool('web_head'))({ url });
    expect(redirects).to.deep.equal([
      { url, status: 301 },
      { url: `${site.url}/redirect/chain-2`, status: 307 },
      { url: `${site.url}/redirect/chain-3`, status: 303 },
    ]);
    const { links } = await (await webTool('web_extract_links'))({ url });
    expect(links).to.deep.equal([{ url: `${site.url}/next`, text: 'weiter', rel: null }]);
  });

  for (const at of ['/redirect/utf-8', '/redirect/latin-1']) {
    it(`are found behind ${at}, whose address is not escaped`, async () => {
      const site = await awkwardSite();
      const fetched = await (await webTool('web_fetch'))({ url: `${site.url}${at}` });
      expect(fetched).to.include({ url: `${site.url}/gr%C3%B6%C3%9Fe`, title: 'Seite' });
    });
  }

  for (const at of ['/redirect/file', '/redirect/broken']) {
    it(`are what ${at} says itself, because that leads to no web address, and are not saved`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}${at}`;
      expect(await (await webTool('web_fetch'))({ url })).to.include({ url, status: 302, title: 'moved' });
      const cwd = await temporaryFolder();
      const error = await rejection((await webTool('web_download', cwd))({ url, path: 'x' }), 'EXECUTION_FAILED');
      expect(error.message).to.include(`${url} answered 302 without a web address to follow`);
      expect(await readdir(cwd)).to.deep.equal([]);
    });
  }

  for (const at of ['gzip', 'br', 'deflate', 'deflate-raw']) {
    it(`come out of ${at} whole`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}/compressed/${at}`;
      expect(await (await webTool('web_request'))({ method: 'GET', url })).to.include({ body: plain, truncated: false });
      const cwd = await temporaryFolder();
      await (await webTool('web_download', cwd))({ url, path: 'x' });
      expect(await readFile(path.join(cwd, 'x'), 'utf8')).to.equal(plain);
    });
  }

  const pages = [
    { at: '/broken-html', title: 'Seite<p>', texts: ['weiter'] },
    { at: '/no-type', title: 'Seite', texts: ['weiter'] },
    { at: '/long-line', title: 'Seite', texts: ['weiter'] },
    { at: '/empty', title: null, texts: [] },
  ];
  for (const { at, title, texts } of pages) {
    it(`make sense at ${at}`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}${at}`;
      expect(await (await webTool('web_extract_metadata'))({ url })).to.include({ title });
      const { links } = await (await webTool('web_extract_links'))({ url });
      expect((links as { text: string }[]).map(({ text }) => text)).to.deep.equal(texts);
      expect(await (await webTool('web_fetch'))({ url, format: 'text' })).to.include({ title });
    });
  }

  it('end where their declared length ends', async () => {
    const site = await awkwardSite();
    expect(await (await webTool('web_request'))({ method: 'GET', url: `${site.url}/too-long` })).to.include({ body: '12345' });
  });

  it('may be no content at all', async () => {
    const site = await awkwardSite();
    const url = `${site.url}/no-content`;
    expect(await (await webTool('web_request'))({ method: 'GET', url })).to.include({ status: 204, body: '', truncated: false });
    expect(await (await webTool('web_download', await temporaryFolder()))({ url, path: 'x' })).to.include({ bytes: 0, content_type: '' });
  });
});

describe('content that has no end', () => {
  for (const at of ['/endless', '/compressed/bomb']) {
    it(`of ${at} is cut by web_request`, async () => {
      const site = await awkwardSite();
      const { body, truncated } = await (await webTool('web_request'))({ method: 'GET', url: `${site.url}${at}` });
      expect({ length: String(body).length, truncated }).to.deep.equal({ length: 1024 * 1024, truncated: true });
    });

    it(`of ${at} is not saved by web_download`, async () => {
      const site = await awkwardSite();
      const cwd = await temporaryFolder();
      const call = await webTool('web_download', cwd);
      await rejection(call({ url: `${site.url}${at}`, path: 'x', max_bytes: 1_000_000 }), 'OUTPUT_TOO_LARGE');
      expect(await readdir(cwd)).to.deep.equal([]);
    });

    it(`of ${at} is too much for web_read_feed, which takes no part of a feed for all of it`, async () => {
      const site = await awkwardSite();
      const url = `${site.url}${at}`;
      await rejection((await webTool('web_read_feed'))({ url }), 'OUTPUT_TOO_LARGE');
    });
  }

  it('is an error for a page of which the end is missing', async () => {
    const { url } = await loopback((_, response) => send(response, `<a href="/x">x</a>${' '.repeat(10 * 1024 * 1024)}`));
    const error = await rejection((await webTool('web_extract_links'))({ url }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('longer than 10485760 bytes').and.include('web_download');
  });
});

describe('web_request of an awkward site', () => {
  for (const at of ['/silent', '/drip', '/compressed/cut', '/cut', '/redirect/loop', '/redirect/private', '/redirect/user']) {
    it(`fails at ${at}`, async () => {
      const site = await awkwardSite();
      const failed = { '/silent': 'TIMEOUT', '/drip': 'TIMEOUT', '/redirect/private': 'OUTBOUND_BLOCKED' } as const;
      const code = failed[at as keyof typeof failed] ?? 'UPSTREAM_UNAVAILABLE';
      const limit = code === 'TIMEOUT' ? { timeout_ms: 1500 } : {};
      await rejection((await webTool('web_request'))({ method: 'GET', url: `${site.url}${at}`, ...limit }), code);
    });
  }

  it('takes a page of status 500 for an answer, and where a redirect leads nowhere, that', async () => {
    const site = await awkwardSite();
    const call = await webTool('web_request');
    const failed = await call({ method: 'GET', url: `${site.url}/status/500` });
    expect(failed).to.include({ status: 500 });
    expect(failed['body']).to.include('<title>kaputt</title>');
    expect(await call({ method: 'GET', url: `${site.url}/redirect/file` })).to.deep.include({ status: 302, redirects: [] });
  });
});

describe('web_head of an awkward site', () => {
  for (const [at, status] of [
    ['/status/410', 410],
    ['/status/500', 500],
    ['/empty', 200],
    ['/endless', 200],
    ['/compressed/bomb', 200],
    ['/redirect/file', 302],
  ] as const) {
    it(`gives ${status} for ${at}`, async () => {
      const site = await awkwardSite();
      expect(await (await webTool('web_head'))({ url: `${site.url}${at}` })).to.include({ status });
    });
  }

  for (const [at, code] of [
    ['/redirect/loop', 'UPSTREAM_UNAVAILABLE'],
    ['/redirect/private', 'OUTBOUND_BLOCKED'],
    ['/redirect/metadata', 'OUTBOUND_BLOCKED'],
    ['/redirect/user', 'UPSTREAM_UNAVAILABLE'],
  ] as const) {
    it(`fails at ${at}`, async () => {
      const site = await awkwardSite();
      await rejection((await webTool('web_head'))({ url: `${site.url}${at}` }), code);
    });
  }

  it('gives all values of a repeated header, cookies included', async () => {
    const server = await loopback((_, response) => void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-a': ['1', '2'] }).end());
    const { headers } = await (await webTool('web_head'))({ url: server.url });
    expect(headers).to.include({ 'set-cookie': 'a=1, b=2', 'x-a': '1, 2' });
  });

  it('lets go of a connection whose content it does not want', async () => {
    let closed: Promise<unknown> = Promise.reject(new Error('nothing was asked'));
    closed.catch(() => {});
    const server = await loopback((_, response) => {
      closed = once(response, 'close');
      response.writeHead(500, { 'content-type': 'text/html' }).write('<p>');
    });
    await rejection((await webTool('web_extract_links'))({ url: server.url }), 'UPSTREAM_UNAVAILABLE');
    await closed;
  });
});

import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { answerNames } from './guarded.ts';
import { victim } from './victim.ts';

/** A page of everything that a browser would fetch or follow by itself. */
const greedyPage = `<!doctype html><html><head>
  <base href="VICTIM/base/">
  <meta http-equiv="refresh" content="0; url=VICTIM/refresh">
  <meta http-equiv="Content-Security-Policy" content="report-uri VICTIM/report">
  <link rel="stylesheet" href="VICTIM/a.css"><link rel="preload" as="script" href="VICTIM/a.js"><link rel="icon" href="VICTIM/i.ico">
  <link rel="dns-prefetch" href="//localhost:VICTIM"><link rel="import" href="VICTIM/import.html"><link rel="manifest" href="VICTIM/m.json">
  <style>@import url(VICTIM/b.css); body { background: url(VICTIM/b.png) }</style>
  <script src="VICTIM/b.js"></script><script>location = 'VICTIM/c'; fetch('VICTIM/d'); new Image().src = 'VICTIM/e'</script>
</head><body background="VICTIM/body.png" onload="fetch('VICTIM/f')">
  <img src="VICTIM/a.png" srcset="VICTIM/b.png 2x" onerror="fetch('VICTIM/g')"><iframe src="VICTIM/frame"></iframe>
  <object data="VICTIM/o"></object><embed src="VICTIM/e"><video src="VICTIM/v" poster="VICTIM/p"></video><audio src="VICTIM/au"></audio>
  <svg><image href="VICTIM/svg.png"/><use href="VICTIM/use.svg#a"/></svg><form action="VICTIM/form"><input autofocus></form>
  <a href="VICTIM/link" ping="VICTIM/ping">words</a>
</body></html>`;

const xmlPage = `<?xml version="1.0"?><?xml-stylesheet href="VICTIM/a.xsl"?>
<!DOCTYPE html [<!ENTITY inside SYSTEM "VICTIM/entity"><!ENTITY % more SYSTEM "VICTIM/dtd"> %more;]><html><body>words &inside;</body></html>`;

/** web_fetch, which may reach one server and port. */
async function fetching(answer: (response: ServerResponse) => void): Promise<{ toolkit: Toolkit; url: string }> {
  const { url } = await loopback((_, response) => answer(response));
  return { toolkit: await coreToolkit({ allowHosts: [new URL(url).host] }), url };
}

describe('web_fetch behind the outbound guard', () => {
  const urls = [
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://127。0。0。1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://0:PORT/',
    'http://localhost:PORT/',
    'http://inside.example:PORT/',
    'HTTPS://127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
  ];
  for (const template of urls) {
    it(`does not reach ${template}`, async () => {
      const { port, connections } = await victim();
      answerNames({ 'inside.example': [['127.0.0.1']], localhost: [['127.0.0.1']] });
      const toolkit = await coreToolkit();
      const code = template.includes('\\') ? 'INVALID_PARAMETERS' : 'OUTBOUND_BLOCKED';
      await rejection(toolkit.execute('web_fetch', { url: template.replace('PORT', `${port}`) }), code);
      expect(connections).to.deep.equal([]);
    });
  }

  for (const url of ['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/', 'javascript:1', ' http://127.0.0.1/', '//127.0.0.1/']) {
    it(`does not take ${JSON.stringify(url)} for an address`, async () => {
      await rejection((await coreToolkit()).execute('web_fetch', { url }), 'INVALID_PARAMETERS');
    });
  }

  for (const [type, page] of [
    ['text/html', greedyPage],
    ['application/xhtml+xml', xmlPage],
  ] as const) {
    for (const format of ['markdown', 'text', 'html']) {
      it(`fetches nothing that a page of ${type} names, as ${format}`, async () => {
        const { port, connections } = await victim();
        const place = `http://127.0.0.1:${port}`;
        const { toolkit, url } = await fetching((response) =>
          response.writeHead(200, { 'content-type': type, refresh: `0; url=${place}/` }).end(page.replaceAll('VICTIM', place)),
        );
        const output = (await toolkit.execute('web_fetch', { url, format })) as { content: string; url: string };
        expect(output.content).to.include('words');
        expect(output.url).to.equal(`${url}/`);
        expect(connections).to.deep.equal([]);
      });
    }
  }

  it('does not follow a redirect to another port of an allowed server', async () => {
    const { port, connections } = await victim();
    const { toolkit, url } = await fetching((response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end());
    await rejection(toolkit.execute('web_fetch', { url }), 'OUTBOUND_BLOCKED');
    expect(connections).to.deep.equal([]);
  });
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { echo, good, outcome, projectWithRunner, type Session } from './session.ts';

const shop = { collection_path: 'shop' };

interface Given {
  readonly url: string;
  readonly more?: string;
  readonly body?: string;
}

/** A `.bru` request that is posted. */
function bru({ url, more = '', body = 'none' }: Given): string {
  return `meta {\n  name: one\n  type: http\n}\n\npost {\n  url: ${url}\n  body: ${body}\n  auth: none\n}\n${more}`;
}

async function collection(given: Session, text: string, descriptor: object = {}): Promise<void> {
  await given.call('create_collection', { collection_name: 'Shop', collection_path: 'shop' });
  await given.write('shop/one.bru', text);
  await given.write('shop/bruno.json', JSON.stringify({ version: '1', name: 'Shop', type: 'collection', ...descriptor }));
}

const script = (code: string): string => `\nscript:pre-request {\n  ${code}\n}\n`;

/** The server allows 127.0.0.1; the same machine by another name is what it must not reach. */
const elsewhere = (url: string): string => url.replace('127.0.0.1', '127.0.0.2');

describe('what the real runner cannot do in a safe run', function () {
  this.timeout(300_000);
  const session = projectWithRunner();

  const ways: { title: string; text: (url: string) => string; descriptor?: object }[] = [
    { title: 'send a request', text: (url) => bru({ url: elsewhere(url) }) },
    { title: 'follow a redirect', text: (url) => bru({ url: `${url}/redirect?${elsewhere(url)}/there` }) },
    { title: 'send one without a proxy', text: (url) => bru({ url: elsewhere(url) }), descriptor: { proxy: { enabled: false } } },
    {
      title: 'send one with axios in a script',
      text: (url) =>
        bru({ url: `${url}/ok`, more: script(`await require('axios')({ url: '${elsewhere(url)}', proxy: false }).catch(() => {})`) }),
    },
    {
      title: 'send one with bru.sendRequest in a script',
      text: (url) => bru({ url: `${url}/ok`, more: script(`try { await bru.sendRequest({ url: '${elsewhere(url)}' }) } catch {}`) }),
    },
  ];
  for (const { title, text, descriptor } of ways) {
    it(`${title} to an address that is not allowed`, async () => {
      const given = await session();
      const { url, seen } = await echo();
      await collection(given, text(url), descriptor);
      const run = await given.call('run_collection', shop);
      expect(run.success).to.equal(false);
      expect(run.errors.join()).to.match(/Requests to "[^"]+"( \([^)]+\))? are blocked: it is a loopback address.*allowHosts/);
      expect(seen.map((request) => request.url).filter((path) => !/^\/(ok|redirect)/.test(path))).to.deep.equal([]);
    });
  }

  it('use a proxy of the collection that is not allowed', async () => {
    const given = await session();
    const { url, seen } = await echo();
    const proxy = { enabled: true, protocol: 'http', hostname: '127.0.0.2', port: new URL(url).port, auth: { enabled: false } };
    await collection(given, bru({ url: `${url}/ok` }), { proxy });
    const run = await given.call('run_collection', shop);
    expect(run.errors.join()).to.include('"127.0.0.2" are blocked');
    expect(seen).to.deep.equal([]);
  });

  it('send a file that a request names, outside of the roots', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await collection(given, bru({ url, body: 'file', more: '\nbody:file {\n  file: @file(/etc/passwd) @contentType(text/plain)\n}\n' }));
    const run = await given.call('run_collection', shop);
    expect(run.errors.join()).to.include('one.bru names /etc/passwd');
    expect(seen).to.deep.equal([]);
  });

  const composed: { title: string; more: string }[] = [
    {
      title: 'that a script puts into a form',
      more: script("req.setBody([{ name: 'a', type: 'file', value: ['/etc/passwd'], enabled: true }])"),
    },
    { title: 'that a variable names', more: script("bru.setVar('place', '/etc/passwd')") },
  ];
  for (const { title, more } of composed) {
    it(`send a file ${title}`, async () => {
      const given = await session();
      const { url, seen } = await echo();
      const form = '\nbody:multipart-form {\n  a: @file({{place}})\n}\n';
      await collection(given, bru({ url, body: 'multipartForm', more: form + more }));
      const run = await given.call('run_collection', shop);
      expect(run.success).to.equal(false);
      expect(seen.map(({ body }) => body).join()).to.not.include('root:');
    });
  }

  it('read the environment of the account, or write into the collection', async () => {
    const given = await session();
    const { url, seen } = await echo();
    const code =
      "bru.setEnvVar('kept', 'x'); req.setBody(Object.keys(process.env || {}).join() + (bru.getProcessEnv('TOOLKIT_SUITE_PROFILE') ?? ''))";
    await collection(
      given,
      bru({ url, body: 'text', more: `\nbody:text {\n  x{{process.env.TOOLKIT_SUITE_PROFILE}}\n}\n${script(code)}` }),
    );
    await given.call('run_collection', shop);
    expect(seen.map(({ body }) => body).join()).to.not.include('from the profile');
    expect(await readFile(path.join(given.folder, 'shop/bruno.json'), 'utf8')).to.not.include('kept');
  });

  it('does what it should with files inside of the roots and hosts that are allowed', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await given.write('upload.txt', 'inside');
    await collection(given, bru({ url, body: 'file', more: '\nbody:file {\n  file: @file(../upload.txt) @contentType(text/plain)\n}\n' }));
    expect(outcome(await given.call('run_collection', shop))).to.deep.equal(good);
    expect(seen.map(({ body }) => body)).to.deep.equal(['inside']);
  });

  it('start a developer run for a model that nobody approved', async () => {
    const given = await session();
    await collection(given, bru({ url: 'http://127.0.0.1:1/', more: script("require('fs').writeFileSync('made', '')") }));
    const { isError, content } = await given.client.callTool(given.request('run_collection', { ...shop, sandbox_mode: 'developer' }));
    expect(isError).to.equal(true);
    expect(JSON.stringify(content)).to.include('needs approval and was not run');
  });
});

import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { before } from 'mocha';
import { type Answer, echo, ofAccount, ofServer, projectWithRunner, type Seen, type Session } from './session.ts';

const shop = { collection_path: 'shop' };
const environment = 'vars {\n  one: 1\n}\n';

interface Given {
  readonly url: string;
  readonly more?: string;
  readonly body?: string;
}

/** A `.bru` request that is posted. */
function bru({ url, more = '', body = 'none' }: Given): string {
  return `meta {\n  name: one\n  type: http\n}\n\npost {\n  url: ${url}\n  body: ${body}\n  auth: none\n}\n${more}`;
}

async function collection(given: Session, requests: Readonly<Record<string, string>>, descriptor: object = {}): Promise<void> {
  await given.call('create_collection', { collection_name: 'Shop', collection_path: 'shop' });
  for (const [name, text] of Object.entries(requests)) await given.write(`shop/${name}.bru`, text);
  await given.write('shop/bruno.json', JSON.stringify({ version: '1', name: 'Shop', type: 'collection', ...descriptor }));
}

const script = (code: string): string => `\nscript:pre-request {\n  ${code}\n}\n`;

/** The server allows 127.0.0.1; the same machine by other names is what it must not reach. Each request has one of its own, which the errors name. */
function elsewhere(url: string, host: string): string {
  return url.replace('127.0.0.1', host);
}

function expectBlocked({ success, errors }: Answer, host: string): void {
  expect(success).to.equal(false);
  const named = errors.filter((error) => error.includes(`"${host}"`)).join();
  expect(named).to.match(/^Requests to "[^"]+"( \([^)]+\))? are blocked: it is a loopback address.*allowHosts/);
}

describe('what the real runner cannot do in a safe run', () => {
  const session = projectWithRunner();

  describe('of requests that may be run', () => {
    const ways: { name: string; title: string; host: string; text: (url: string, other: string) => string }[] = [
      { name: 'plain', title: 'send a request', host: '127.0.0.2', text: (_url, other) => bru({ url: other }) },
      {
        name: 'redirect',
        title: 'follow a redirect',
        host: '127.0.0.3',
        text: (url, other) => bru({ url: `${url}/redirect?${other}/there` }),
      },
      {
        name: 'axios',
        title: 'send one with axios in a script',
        host: '127.0.0.4',
        text: (url, other) =>
          bru({ url: `${url}/axios`, more: script(`await require('axios')({ url: '${other}', proxy: false }).catch(() => {})`) }),
      },
      {
        name: 'send-request',
        title: 'send one with bru.sendRequest in a script',
        host: '127.0.0.5',
        text: (url, other) =>
          bru({ url: `${url}/send-request`, more: script(`try { await bru.sendRequest({ url: '${other}' }) } catch {}`) }),
      },
    ];
    const composed: { name: string; title: string; file: string; more: string }[] = [
      {
        name: 'script-form',
        title: 'that a script puts into a form',
        file: '/etc/passwd',
        more: script("req.setBody([{ name: 'a', type: 'file', value: ['/etc/passwd'], enabled: true }])"),
      },
      { name: 'variable-form', title: 'that a variable names', file: '/etc/group', more: script("bru.setVar('place', '/etc/group')") },
    ];
    const form = '\nbody:multipart-form {\n  a: @file({{place}})\n}\n';
    const asked = Object.keys({ ...ofServer, ...ofAccount });
    let given: Session;
    let run: Answer;
    let seen: readonly Seen[];

    /** Returns the request that reached the server under this name. */
    const from = (name: string): Seen | undefined => seen.find(({ url }) => url === `/${name}`);

    before(async () => {
      given = await session();
      const server = await echo();
      const { url } = server;
      const found = [
        "typeof process === 'undefined' ? '' : JSON.stringify(process.env)",
        ...asked.map((name) => `bru.getProcessEnv('${name}')`),
      ].join();
      await given.write('upload.txt', 'inside');
      await collection(given, {
        ...Object.fromEntries(ways.map(({ name, host, text }) => [name, text(url, elsewhere(url, host))])),
        ...Object.fromEntries(
          composed.map(({ name, more }) => [name, bru({ url: `${url}/${name}`, body: 'multipartForm', more: form + more })]),
        ),
        environment: bru({
          url: `${url}/environment`,
          body: 'text',
          more: `\nbody:text {\n  told ${asked.map((name) => `{{process.env.${name}}}`).join(' ')}\n}\n${script(`req.setHeader('x-told', ['told', ${found}].join())`)}`,
        }),
        keeping: bru({ url: `${url}/keeping`, more: script("bru.setEnvVar('kept', 'x', { persist: true })") }),
        inside: bru({
          url: `${url}/inside`,
          body: 'file',
          more: '\nbody:file {\n  file: @file(../upload.txt) @contentType(text/plain)\n}\n',
        }),
      });
      await mkdir(path.join(given.folder, 'shop/environments'));
      await given.write('shop/environments/local.bru', environment);
      run = await given.call('run_collection', { ...shop, environment: 'local' });
      ({ seen } = server);
    });

    for (const { title, host } of ways)
      it(`${title} to an address that is not allowed`, () => {
        expectBlocked(run, host);
        expect(seen.filter(({ headers }) => headers.host?.startsWith(host))).to.deep.equal([]);
      });

    for (const { name, title, file } of composed)
      it(`send a file ${title}`, () => {
        expect(run.errors.join()).to.include(`The file ${file} was not read`);
        expect(from(name)?.body ?? '').to.not.include('root:');
      });

    it('read the environment of the server, or that of the account', () => {
      const { body, headers } = from('environment') ?? {};
      for (const told of [body, headers?.['x-told']]) {
        expect(told).to.match(/^told/);
        for (const value of Object.values({ ...ofServer, ...ofAccount })) expect(told).to.not.include(value);
      }
    });

    it('write into the collection', async () => {
      expect(from('keeping')).to.not.equal(undefined);
      expect(await readFile(path.join(given.folder, 'shop/environments/local.bru'), 'utf8')).to.equal(environment);
    });

    it('but it does what it should with files inside of the roots and hosts that are allowed', () => {
      expect(from('inside')?.body).to.equal('inside');
      expect(run['results'].find(({ file }: Answer) => file === 'inside.bru')).to.include({ status: 'passed', response_status: 200 });
      expect(run.errors.filter((error) => error.includes('upload.txt') || error.includes('"127.0.0.1"'))).to.deep.equal([]);
    });
  });

  it('send a request without a proxy to an address that is not allowed', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await collection(given, { one: bru({ url: elsewhere(url, '127.0.0.2') }) }, { proxy: { enabled: false } });
    expectBlocked(await given.call('run_collection', shop), '127.0.0.2');
    expect(seen).to.deep.equal([]);
  });

  it('use a proxy of the collection that is not allowed', async () => {
    const given = await session();
    const { url, seen } = await echo();
    const proxy = { enabled: true, protocol: 'http', hostname: '127.0.0.2', port: new URL(url).port, auth: { enabled: false } };
    await collection(given, { one: bru({ url: `${url}/ok` }) }, { proxy });
    expectBlocked(await given.call('run_collection', shop), '127.0.0.2');
    expect(seen).to.deep.equal([]);
  });

  it('send a file that a request names, outside of the roots', async () => {
    const given = await session();
    const { url, seen } = await echo();
    const more = '\nbody:file {\n  file: @file(/etc/passwd) @contentType(text/plain)\n}\n';
    await collection(given, { one: bru({ url, body: 'file', more }) });
    const run = await given.call('run_collection', shop);
    expect(run.errors.join()).to.include('one.bru names /etc/passwd');
    expect(seen).to.deep.equal([]);
  });

  it('start a developer run for a model that nobody approved', async () => {
    const given = await session();
    await collection(given, { one: bru({ url: 'http://127.0.0.1:1/', more: script("require('fs').writeFileSync('made', '')") }) });
    const { isError, content } = await given.client.callTool(given.request('run_collection', { ...shop, sandbox_mode: 'developer' }));
    expect(isError).to.equal(true);
    expect(JSON.stringify(content)).to.include('needs approval and was not run');
  });
});

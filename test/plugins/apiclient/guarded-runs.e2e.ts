import { mkdir, readFile, symlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

const given = { collection_path: 'pets' };
const report = '4.1-all-passed';
const secret = 'of somebody else';

/** A request with a body that is a file. */
function upload(file: string): string {
  return request('Upload', { tags: ['upload'], more: `\nbody:file {\n  file: @file(${file}) @contentType(text/plain)\n}\n` });
}

describe('a run of a collection: what a model may start', () => {
  const gated = [
    { parameters: { ...given, sandbox_mode: 'developer' }, tool: 'apiclient_run_collection' },
    { parameters: { ...given, sandbox_mode: 'developer', request_name: 'Get pet' }, tool: 'apiclient_run_request' },
  ];
  for (const { tool, parameters } of gated) {
    it(`is not ${tool} in developer mode, without approval`, async () => {
      const { toolkit, starts } = await desk({ files: pets(), plan: { report } });
      await rejection(toolkit.kernel.call({ tool, parameters, origin: 'model' }), 'APPROVAL_REQUIRED');
      expect(await starts()).to.deep.equal([]);
    });

    it(`is ${tool} in safe mode, without a question`, async () => {
      const { toolkit, runs } = await desk({ files: pets(), plan: { report } });
      const { sandbox_mode: _mode, ...safe } = parameters;
      const { error } = await toolkit.kernel.call({ tool, parameters: safe, origin: 'model' });
      expect(error).to.equal(undefined);
      expect(await runs()).to.have.length(1);
    });
  }

  it('runs in developer mode once it is approved', async () => {
    const { toolkit, runs } = await desk({ files: pets(), plan: { report } });
    const parameters = { ...given, sandbox_mode: 'developer' };
    const { error } = await toolkit.kernel.call({ tool: 'apiclient_run_collection', parameters, origin: 'model', approved: true });
    expect(error).to.equal(undefined);
    expect((await runs())[0]?.args).to.include('--sandbox=developer');
  });
});

describe('a run of a collection: files that requests name', () => {
  const requests: { title: string; text: string }[] = [
    { title: 'a body', text: upload('/etc/passwd') },
    { title: 'a part of a form', text: request('Form', { more: '\nbody:multipart-form {\n  a: @file(/etc/passwd)\n}\n' }) },
    {
      title: 'one of several in a part of a form',
      text: request('Form', { more: '\nbody:multipart-form {\n  a: @file(ok.txt|/etc/passwd)\n}\n' }),
    },
  ];
  for (const { title, text } of requests) {
    it(`are refused outside of the roots before anything runs: ${title}`, async () => {
      const { call, starts } = await desk({ files: pets({ 'upload.bru': text }), plan: { report } });
      failure(await call('run_collection', given), 'Nothing was run', 'upload.bru names /etc/passwd', 'sandbox_mode developer');
      expect(await starts()).to.deep.equal([]);
    });
  }

  it('are refused in an OpenCollection', async () => {
    const files = {
      'open/opencollection.yml': 'opencollection: 1.0.0\ninfo: { name: O }\n',
      'open/a.yml':
        'info: { name: A, type: http }\nhttp:\n  method: POST\n  url: "{{base}}/a"\n  body: { type: file, data: [{ filePath: /etc/passwd, selected: true }] }\n',
      'open/b.yml':
        'info: { name: B, type: http }\nhttp:\n  method: POST\n  url: "{{base}}/b"\n  body: { type: multipart-form, data: [{ name: f, type: file, value: [/etc/hosts] }] }\n',
    };
    const { call, starts } = await desk({ files, plan: { report } });
    const answer = await call('run_collection', { collection_path: 'open' });
    failure(answer, 'Nothing was run', 'a.yml names /etc/passwd', 'b.yml names /etc/hosts');
    expect(await starts()).to.deep.equal([]);
  });

  it('are all named, with client certificates and what leads outside by a link or by dots', async () => {
    const certificates = { certs: [{ domain: 'x.example', type: 'cert', certFilePath: '/etc/cert.pem', keyFilePath: 'key.pem' }] };
    const table = await desk({
      files: pets({
        'bruno.json': JSON.stringify({ version: '1', name: 'Pets', type: 'collection', clientCertificates: certificates }),
        'a.bru': upload('../../../../../../../../etc/hostname'),
        'b.bru': upload('linked.txt'),
      }),
      plan: { report },
    });
    const outside = await temporaryFolder({ 'secret.txt': secret });
    await symlink(path.join(outside, 'secret.txt'), path.join(table.root, 'pets/linked.txt'));
    const [message = ''] = (await table.call('run_collection', given)).errors;
    for (const words of ['bruno.json names /etc/cert.pem', 'a.bru names ../../', 'b.bru names linked.txt'])
      expect(message).to.include(words);
    expect(message).to.not.include('key.pem');
  });

  it('may be anywhere inside the roots, and those of requests that do not run anywhere', async () => {
    const files = {
      ...pets({ 'in.bru': upload('../pictures/a.png'), 'out.bru': request('Out', { tags: ['out'] }) }),
      'pictures/a.png': 'a',
    };
    const table = await desk({ files: { ...files, 'pets/etc.bru': upload('/etc/passwd').replace('upload', 'etc') }, plan: { report } });
    for (const parameters of [{ tags: 'upload' }, { exclude_tags: 'etc' }])
      expect((await table.call('run_collection', { ...given, ...parameters })).errors).to.deep.equal([]);
  });
});

describe('a safe run of a collection: what the runner can do for it', () => {
  it('is reading inside the roots, and nowhere else: no file, no link and no environment of a process', async () => {
    const outside = await temporaryFolder({ 'secret.txt': secret });
    const table = await desk({ files: { ...pets(), 'inside.txt': 'inside' } });
    await symlink(path.join(outside, 'secret.txt'), path.join(table.root, 'pets/linked.txt'));
    const reads = ['linked.txt', path.join(outside, 'secret.txt'), `/proc/${process.pid}/environ`, '/proc/self/environ', '../inside.txt'];
    await table.plan({ report, acts: { reads } });
    const { success, errors } = await table.call('run_collection', given);
    const did = await table.did();
    expect(did).to.have.length(10);
    const isInside = (_text: string, index: number): boolean => index % reads.length === reads.length - 1;
    expect(did.filter(isInside)).to.deep.equal(['inside', 'inside']);
    for (const text of did.filter((text, index) => !isInside(text, index)))
      expect(text).to.include('refused: The file').and.include('expected one inside');
    expect([success, errors.length]).to.deep.equal([false, 4]);
    expect(errors[0]).to.include('/pets/linked.txt was not read').and.include(table.root);
  });

  it('is no change of a file, not of the collection either', async () => {
    const table = await desk({ files: pets() });
    await mkdir(path.join(table.root, 'out'));
    const writes = ['environments/local.bru', '../out/new.txt', path.join(table.root, '../new.txt')];
    await table.plan({ report, acts: { writes } });
    await table.call('run_collection', given);
    for (const text of await table.did()) expect(text).to.include('a safe run changes none');
    expect(await readFile(path.join(table.root, 'pets/environments/local.bru'), 'utf8')).to.include('base');
  });

  it('is no program, so that no login shell tells it the environment of the account', async () => {
    const { call, did } = await desk({ files: pets(), plan: { report, acts: { programs: ['id', '/bin/sh'] } } });
    await call('run_collection', given);
    expect(await did()).to.deep.equal(['refused: a safe run starts no programs', 'refused: a safe run starts no programs']);
  });
});

describe('a run of a collection: where requests go', () => {
  for (const mode of ['safe', 'developer']) {
    it(`is not this machine, by no name of it: ${mode}`, async () => {
      const { url, seen } = await server();
      const { port } = new URL(url);
      const hosts = ['127.0.0.1', 'localhost', '[::1]', '127.1', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433'];
      const requests = hosts.map((host) => `http://${host}:${port}/`);
      const { call, did } = await desk({ files: pets(), plan: { report, acts: { requests } } });
      const { success, errors } = await call('run_collection', { ...given, sandbox_mode: mode });
      for (const text of await did()) expect(text).to.include('are blocked').and.include('allowHosts');
      expect(await did()).to.have.length(hosts.length);
      expect([success, seen()]).to.deep.equal([false, 0]);
      expect(errors[0]).to.include('"127.0.0.1" are blocked: it is a loopback address').and.include('allowHosts');
    });
  }

  it('is this machine where the operator allows the host, without a question', async () => {
    const { url } = await server();
    const { port } = new URL(url);
    const { call, did } = await desk({
      files: pets(),
      plan: { report, acts: { requests: [url, `http://localhost:${port}/`] } },
      toolkit: { allowHosts: ['127.0.0.1', '::1'] },
    });
    expect((await call('run_collection', given)).errors).to.deep.equal([]);
    expect(await did()).to.deep.equal(['hello', 'hello']);
  });

  it('is not where an allowed host redirects to', async () => {
    const inner = await server();
    const outer = await server(inner.url);
    const allowed = `127.0.0.1:${new URL(outer.url).port}`;
    const { call, did } = await desk({
      files: pets(),
      plan: { report, acts: { requests: [outer.url] } },
      toolkit: { allowHosts: [allowed] },
    });
    const { success } = await call('run_collection', given);
    expect((await did())[0]).to.include('are blocked');
    expect([success, outer.seen(), inner.seen()]).to.deep.equal([false, 1, 0]);
  });

  it('is no socket file', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'socket');
    let connections = 0;
    const listener = net.createServer(() => {
      connections += 1;
    });
    await new Promise<void>((resolve) => listener.listen(file, resolve));
    const { call, did } = await desk({ files: pets(), plan: { report, acts: { requests: [`unix:${file}`] } } });
    await call('run_collection', given);
    expect(await did()).to.deep.equal(['refused: requests through socket files are blocked']);
    expect(connections).to.equal(0);
    await new Promise((resolve) => listener.close(resolve));
  });
});

/** Says hello, or redirects. */
async function server(location?: string): Promise<{ url: string; seen(): number }> {
  let seen = 0;
  const { url } = await loopback((_request, response) => {
    seen += 1;
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end('hello');
  });
  return { url, seen: () => seen };
}

import { createHash } from 'node:crypto';
import { mkdir, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { openDocument } from '../../../../plugins/openapi/document/open-document.ts';
import type { Located } from '../../../../plugins/openapi/document/resolve.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';

const document = (members: object): string => JSON.stringify({ openapi: '3.1.0', paths: {}, ...members });

/** A folder `api` with the document, beside files that it may not read. */
async function project(members: object, files: Record<string, string> = {}): Promise<{ folder: string; location: string }> {
  const folder = await temporaryFolder({ 'secret.json': '{"canary": "outside"}', 'api/openapi.json': document(members), ...files });
  return { folder, location: path.join(folder, 'api', 'openapi.json') };
}

describe('openDocument', () => {
  it('opens the files to which a document refers, and those to which they do', async () => {
    const { folder, location } = await project(
      { x: { $ref: './parts/a.yaml#/A' } },
      { 'api/parts/a.yaml': 'A: {b: {$ref: "b%20c.yml"}}', 'api/parts/b c.yml': 'type: string\n', 'api/unused.yaml': 'a: 1' },
    );
    const opened = await openDocument({ location });
    expect(opened.files).to.deep.equal(['openapi.json', 'parts/a.yaml', 'parts/b c.yml'].map((name) => path.join(folder, 'api', name)));
    const root: Located = { value: opened.value, base: location, pointer: '' };
    const a = opened.resolver.resolve('parts/a.yaml#/A/b', root) as Located;
    expect(a.value).to.deep.equal({ type: 'string' });
  });

  const outside: Record<string, [reference: string | ((folder: string) => string), reason: RegExp]> = {
    'the folder above': ['../secret.json#/canary', /leaves the folder of the document/],
    'the folder above, percent-encoded': ['%2e%2e/secret.json', /leaves the folder of the document/],
    'the folder above, on the way through another': ['parts/../../secret.json', /leaves the folder of the document/],
    'an absolute path': [(folder) => path.join(folder, 'secret.json'), /expected a relative path, received an absolute one/],
    'a file URL': [(folder) => `file://${folder}/secret.json`, /expected a relative path, received a URL/],
    'a hidden file': ['.env.json', /no document: expected the name of a/],
    'a file in a hidden folder': ['.git/config.yaml', /no document: expected the name of a/],
    'a file of another kind': ['notes.txt', /no document: expected the name of a/],
    'a name with a null byte': ['a%00.json', /null byte/],
    'a symbolic link out of the folder': ['link.json', /is a link that leaves the folder/],
    'a file in a linked folder': ['linked/secret.json', /is a link that leaves the folder/],
    'a folder': ['folder.json', /cannot be read: it is no file/],
    'a file that is missing': ['gone.json', /cannot be read: there is no such file/],
  };
  for (const [name, [written, reason]] of Object.entries(outside)) {
    it(`does not open ${name}, and says why`, async () => {
      const { folder, location } = await project({}, { 'api/.env.json': '{}', 'api/.git/config.yaml': 'a: 1', 'api/notes.txt': 'a: 1' });
      await symlink('../secret.json', path.join(folder, 'api', 'link.json'));
      await symlink('..', path.join(folder, 'api', 'linked'));
      await mkdir(path.join(folder, 'api', 'folder.json'));
      const reference = typeof written === 'string' ? written : written(folder);
      await writeFiles(folder, { 'api/openapi.json': document({ x: { $ref: reference } }) });
      const opened = await openDocument({ location });
      expect(opened.files).to.deep.equal([location]);
      expect(opened.resolver.resolve(reference, { value: opened.value, base: location, pointer: '' })).to.match(reason);
    });
  }

  it('follows a symbolic link that stays in the folder', async () => {
    const { folder, location } = await project({ x: { $ref: 'link.json' } }, { 'api/real.json': '{"a": 1}' });
    await symlink('real.json', path.join(folder, 'api', 'link.json'));
    const opened = await openDocument({ location });
    expect(opened.resolver.resolve('link.json#/a', { value: opened.value, base: location, pointer: '' })).to.include({ value: 1 });
  });

  it('never sends a request, whatever the document refers to', async () => {
    const { url: server, requests } = await loopback((_, response) => response.end('{}'));
    const url = `${server}/pet.json`;
    const { location } = await project({ x: { $ref: url }, y: { $ref: url.replace('http:', '') } });
    for (const options of [
      { location },
      { location: `${server}/openapi.json`, read: async () => document({ x: { $ref: url }, y: { $ref: 'pet.json' } }) },
    ]) {
      const opened = await openDocument(options);
      expect(opened.resolver.resolve(url, { value: opened.value, base: options.location, pointer: '' })).to.match(/is outside the/);
    }
    expect(requests).to.deep.equal([]);
  });

  it('opens no file for a document from a URL', async () => {
    const { folder } = await project({});
    const location = 'https://api.test/v1/openapi.json';
    for (const reference of [`file://${folder}/secret.json`, path.join(folder, 'secret.json'), './pet.json']) {
      const opened = await openDocument({ location, read: async () => document({ x: { $ref: reference } }) });
      expect(opened.resolver.resolve(reference, { value: opened.value, base: location, pointer: '' })).to.match(
        /a document from a URL is one file/,
      );
    }
  });

  it('resolves a reference of a URL document to a text that was given', async () => {
    const location = 'https://api.test/v1/openapi.json';
    const texts = new Map([['https://api.test/v1/pet.json', '{"a": 1}']]);
    const opened = await openDocument({ location, texts, read: async () => document({ x: { $ref: './pet.json#/a' } }) });
    expect(opened.resolver.resolve('./pet.json#/a', { value: opened.value, base: location, pointer: '' })).to.include({ value: 1 });
  });

  it('opens at most 200 files', async () => {
    const names = Array.from({ length: 205 }, (_, at) => `api/part${at}.json`);
    const { location } = await project(
      { x: names.map((_, at) => ({ $ref: `part${at}.json` })) },
      Object.fromEntries(names.map((name) => [name, '{}'])),
    );
    const opened = await openDocument({ location });
    expect(opened.files).to.have.length(200);
    const reasons = names.map((_, at) => opened.resolver.resolve(`part${at}.json`, { value: {}, base: location, pointer: '' }));
    expect(reasons.filter((reason) => typeof reason === 'string' && /more than 200 files/.test(reason))).to.have.length(6);
  });

  it('opens no file beyond 64 MB together', async () => {
    const { folder, location } = await project({ x: { $ref: 'large.json' } }, { 'api/large.json': '' });
    // Takes no room on the disk.
    await truncate(path.join(folder, 'api', 'large.json'), 65 * 1024 * 1024);
    const opened = await openDocument({ location });
    expect(opened.resolver.resolve('large.json', { value: {}, base: location, pointer: '' })).to.match(
      /"large\.json" is too large: expected at most \d+ bytes/,
    );
  });

  it('treats a file that is no JSON or YAML as a broken reference', async () => {
    const { location } = await project({ x: { $ref: 'bad.json' } }, { 'api/bad.json': '{"a": ' });
    const opened = await openDocument({ location });
    expect(opened.resolver.resolve('bad.json', { value: {}, base: location, pointer: '' })).to.match(/bad\.json" is no JSON/);
  });

  it('refuses a document of 300 levels', async () => {
    const { location } = await project({ x: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) });
    expect((await rejection(openDocument({ location }), 'CONFIG_INVALID')).message).to.match(/nested deeper than 200 levels/);
  });

  it('names a document that is not there', async () => {
    expect((await rejection(openDocument({ location: '/nowhere/openapi.json' }), 'CONFIG_INVALID')).message).to.match(
      /"\/nowhere\/openapi\.json" cannot be opened: .*there is no such file/,
    );
  });

  it('gives the digest of the text for a document of one file, and another for each text that changes', async () => {
    const text = document({});
    const one = await project({});
    const opened = await openDocument({ location: one.location });
    expect(opened.digest).to.equal(createHash('sha256').update(text).digest('hex'));
    const open = async (part: string, overlay?: string): Promise<string> => {
      const { location } = await project({ x: { $ref: 'part.json' } }, { 'api/part.json': part });
      return (await openDocument({ location, ...(overlay && { overlay: { location: '/o.yaml', text: overlay } }) })).digest;
    };
    const overlay = (title: string): string => `overlay: 1.0.0\ninfo: {title: ${title}, version: "1"}\nactions: [{target: $}]\n`;
    const digests = [await open('{}'), await open('{"a": 1}'), await open('{}', overlay('a')), await open('{}', overlay('b'))];
    expect(new Set(digests).size).to.equal(4);
    expect(await open('{}'), 'in another folder').to.equal(digests[0]);
  });

  it('opens a file to which only the overlay refers', async () => {
    const { location } = await project({}, { 'api/part.yaml': 'a: 1' });
    const text = 'overlay: 1.0.0\ninfo: {title: T, version: "1"}\nactions: [{target: $, update: {x-part: {$ref: part.yaml}}}]\n';
    const opened = await openDocument({ location, overlay: { location: '/o.yaml', text } });
    expect(opened.resolver.resolve('part.yaml#/a', { value: {}, base: location, pointer: '' })).to.include({ value: 1 });
  });
});

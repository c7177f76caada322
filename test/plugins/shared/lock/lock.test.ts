import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { copyFile, digestOfCopy, readCopy, writeCopy } from '../../../../plugins/shared/lock/accepted-copy.ts';
import { type DocumentEntry, documentsSection } from '../../../../plugins/shared/lock/documents-section.ts';
import { changeSection, lockFileName, readSection } from '../../../../plugins/shared/lock/lock-file.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';

function entry(more: Partial<DocumentEntry> = {}): DocumentEntry {
  return {
    document: './box.json',
    digest: 'sha256-a',
    hosts: ['https://b.example', 'https://a.example'],
    operations: new Map([
      ['get /files/{id}', { tool: 'box_files_get', digest: 'sha256-2' }],
      ['delete /files/{id}', { tool: 'box_files_delete', digest: 'sha256-1' }],
    ]),
    ...more,
  };
}

const put = (folder: string, name: string, one: DocumentEntry): Promise<void> =>
  changeSection(folder, documentsSection, async (entries) => new Map([...entries, [name, one]]));

const lockOf = (folder: string): Promise<string> => readFile(path.join(folder, lockFileName), 'utf8');

describe('toolkit.lock', () => {
  it('has one line for each operation, in a fixed order', async () => {
    const folder = await temporaryFolder();
    await put(folder, 'shop', entry());
    await put(folder, 'box', entry());
    const text = await lockOf(folder);
    expect(text.split('\n').slice(2)).to.deep.equal([
      '',
      'version: 1',
      'documents:',
      ...['box', 'shop'].flatMap((name) => [
        `  ${name}:`,
        '    document: ./box.json',
        '    digest: sha256-a',
        '    hosts:',
        '      - https://a.example',
        '      - https://b.example',
        '    operations: |',
        '      delete /files/{id} box_files_delete sha256-1',
        '      get /files/{id} box_files_get sha256-2',
      ]),
      '',
    ]);
  });

  it('is read as it was written', async () => {
    const folder = await temporaryFolder();
    await put(folder, 'box', entry({ hosts: [] }));
    expect(await readSection(folder, documentsSection)).to.deep.equal(
      new Map([['box', entry({ hosts: [], operations: new Map([...entry().operations].toReversed()) })]]),
    );
  });

  it('keeps an operation whose path has blanks, line breaks or other letters', async () => {
    const folder = await temporaryFolder();
    const operations = new Map(
      ['get /a b', 'get /a\nget /c box_c sha256-x', 'put /größe', 'get "/"'].map((key) => [key, { tool: 't', digest: 'd' }]),
    );
    await put(folder, 'box', entry({ operations }));
    expect((await readSection(folder, documentsSection)).get('box')?.operations).to.have.all.keys([...operations.keys()]);
  });

  it('keeps sections and comments that this program does not know', async () => {
    const folder = await temporaryFolder({ [lockFileName]: 'version: 1\nservers:\n  # of another version\n  desk: { digest: x }\n' });
    await put(folder, 'box', entry());
    expect(await lockOf(folder)).to.include('servers:\n  # of another version\n  desk: { digest: x }\n');
    expect([...(await readSection(folder, documentsSection)).keys()]).to.deep.equal(['box']);
  });

  it('has no entries where there is no file, and is not written without a change', async () => {
    const folder = await temporaryFolder();
    expect((await readSection(folder, documentsSection)).size).to.equal(0);
    await changeSection(folder, documentsSection, async () => undefined);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  const refused: Readonly<Record<string, [text: string, message: RegExp]>> = {
    'a text that is no YAML': ['version: 1\n  x: [', /not valid YAML/],
    'a version of the future': ['version: 2\n', /has the version 2/],
    'a list': ['- version\n', /holds no map/],
    'a section that is a list': ['version: 1\ndocuments: [box]\n', /expected "documents" to be a map/],
    'a name that leaves the folder': ['version: 1\ndocuments:\n  ../../etc/x: {}\n', /expected the name of a source/],
    'the prototype as a name': ['version: 1\ndocuments:\n  __proto__: {}\n', /expected the name of a source/],
    'an entry without a digest': [
      'version: 1\ndocuments:\n  box: { document: a, hosts: [], operations: "" }\n',
      /"box": expected "digest" to be a text/,
    ],
    'an operation without a tool': [
      'version: 1\ndocuments:\n  box: { document: a, digest: b, hosts: [], operations: get / }\n',
      /each line of "operations"/,
    ],
    'an alias': ['version: 1\ndocuments: &all\n  box: *all\n', /alias/i],
  };
  for (const [what, [text, message]] of Object.entries(refused))
    it(`is refused with ${what}`, async () => {
      const folder = await temporaryFolder({ [lockFileName]: text });
      expect((await rejection(readSection(folder, documentsSection), 'CONFIG_INVALID')).message).to.match(message);
    });

  it('is refused when it is a link', async () => {
    const folder = await temporaryFolder({ 'other.yaml': 'version: 1\n' });
    await symlink('other.yaml', path.join(folder, lockFileName));
    expect((await rejection(readSection(folder, documentsSection), 'CONFIG_INVALID')).message).to.include('is a link');
  });

  it('keeps the changes of writers at the same time', async () => {
    const folder = await temporaryFolder();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((name) => put(folder, name, entry())));
    expect([...(await readSection(folder, documentsSection)).keys()]).to.deep.equal(names);
    expect(await readdir(folder)).to.deep.equal([lockFileName]);
  });

  it('is written although a writer of this machine has died', async () => {
    const folder = await temporaryFolder();
    const dead = JSON.stringify({ pid: 2 ** 30, host: os.hostname() });
    await writeFile(path.join(folder, `${lockFileName}.writing`), dead);
    await put(folder, 'box', entry());
    expect(await readdir(folder)).to.deep.equal([lockFileName]);
  });
});

describe('the accepted copy of a document', () => {
  const copy = {
    document: 'box.yaml',
    files: new Map([
      ['box.yaml', 'a: 1\nb: 2\n'],
      ['parts/__proto__.yaml', ''],
    ]),
    overlay: 'x\n',
  };

  it('is read as it was written', async () => {
    const folder = await temporaryFolder();
    const digest = await writeCopy(folder, 'box', copy);
    expect(await readCopy(folder, 'box', digest)).to.deep.equal(copy);
  });

  it('has one line for each line of the document', async () => {
    const folder = await temporaryFolder();
    await writeCopy(folder, 'box', copy);
    expect(await readFile(copyFile(folder, 'box'), 'utf8')).to.match(/^ *"a: 1",\n *"b: 2",$/m);
  });

  const tampered: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
    'has another text': async (folder) => {
      const text = await readFile(copyFile(folder, 'box'), 'utf8');
      await writeFile(copyFile(folder, 'box'), text.replace('a: 1', 'a: 2'));
    },
    'is missing': (folder) => rm(copyFile(folder, 'box')),
    'is no JSON': (folder) => writeFile(copyFile(folder, 'box'), '<html>'),
    'has another shape': (folder) => writeFile(copyFile(folder, 'box'), '{"document": "a", "files": {"a": 1}}'),
    'is a link': async (folder) => {
      await rm(copyFile(folder, 'box'));
      await writeFiles(folder, { 'other.json': '{}' });
      await symlink(path.join(folder, 'other.json'), copyFile(folder, 'box'));
    },
  };
  for (const [what, tamper] of Object.entries(tampered))
    it(`is refused by name when it ${what}`, async () => {
      const folder = await temporaryFolder();
      const digest = await writeCopy(folder, 'box', copy);
      await tamper(folder);
      const { message } = await rejection(readCopy(folder, 'box', digest), 'CONFIG_INVALID');
      expect(message).to.include('box.json');
    });

  it('has a digest that depends on names, texts and the overlay', () => {
    const others = [
      { ...copy, overlay: 'y' },
      { ...copy, document: 'other.yaml' },
      { ...copy, files: new Map([['box.yaml', 'a: 1\nb: 2\n']]) },
    ];
    expect(new Set([copy, ...others].map(digestOfCopy)).size).to.equal(4);
  });
});

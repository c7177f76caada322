import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { checkSources } from '../../../../plugins/cli/commands/doctor/checks/check-sources.ts';
import { listCommand } from '../../../../plugins/cli/commands/list.ts';
import { runCommand } from '../../../../plugins/cli/commands/run/command.ts';
import { accept } from '../../../../plugins/openapi/accepted/accept.ts';
import { loadSource } from '../../../../plugins/openapi/load-source.ts';
import type { DocumentSource } from '../../../../plugins/openapi/options.ts';
import { edit, kernelWith, project, run } from '../project.ts';

const local: DocumentSource = { document: './library.json' };
const without = (paths: string): string => `{"openapi":"3.0.0","servers":[{"url":"https://a.example"}],"paths":${paths}}`;

/** A folder in which the document is accepted as the source `books`. */
async function acceptedProject(): Promise<string> {
  const folder = await project();
  const location = path.join(folder, 'library.json');
  await accept(folder, 'books', local, await loadSource({ name: 'books', source: local, location, names: new Map() }));
  return folder;
}

async function unacceptedHost(): Promise<string> {
  const folder = await acceptedProject();
  await edit(path.join(folder, 'toolkit.lock'), (text) => text.replace(/https:\/\/[\w.-]+/g, 'https://other.example'));
  return folder;
}

async function missingDocument(): Promise<string> {
  const folder = await project();
  await rm(path.join(folder, 'library.json'));
  return folder;
}

describe('a source without tools', () => {
  const cases: readonly { why: string; folder: () => Promise<string>; source?: DocumentSource; says: RegExp }[] = [
    {
      why: 'a URL that was not accepted',
      folder: project,
      source: { document: 'https://a.example/openapi.json' },
      says: /has no tools, and is down\..*nothing is fetched by itself.*toolkit openapi update books/,
    },
    {
      why: 'a host that was not accepted',
      folder: unacceptedHost,
      says: /has no tools, and is quarantined\..*would send to a host that was not accepted.*toolkit openapi update books/,
    },
    { why: 'a missing document', folder: missingDocument, says: /has no tools, and is down\..*library\.json/ },
    {
      why: 'a selection of nothing',
      folder: project,
      source: { ...local, include: { tags: ['boks'] } },
      says: /"include" and "exclude" choose none of its 4 operations: "include\.tags" names "boks", which matches nothing/,
    },
    {
      why: 'a document without operations',
      folder: () => project({ 'library.json': without('{}') }),
      says: /no tool is made: the document has no operations/,
    },
  ];
  for (const { why, folder, source = local, says } of cases) {
    it(`is named with its reason by "list" and "run": ${why}`, async () => {
      const where = await folder();
      const sources = { books: source };
      const listed = await run(listCommand, where, [], { provider: 'books' }, { sources });
      expect(listed.error).to.include({ code: 'INVALID_PARAMETERS' });
      expect(listed.error?.message).to.match(says);
      const called = await run(runCommand, where, ['books_list_books'], {}, { sources });
      expect(called.error).to.include({ code: 'TOOL_NOT_FOUND' });
      expect(called.error?.message)
        .to.match(/^There is no tool "books_list_books"\. The source "books"/)
        .and.match(says);
    });
  }

  it('is not named for a tool of another name, or a source with tools', async () => {
    const sources = { books: local };
    const where = await project();
    const { error } = await run(runCommand, where, ['books_lst_books'], {}, { sources });
    expect(error?.message).to.match(/Did you mean/);
    expect((await run(listCommand, where, [], { provider: 'boks' }, { sources })).error?.message).to.match(
      /^There is no tool of the provider/,
    );
  });
});

describe('a source of which something is withheld', () => {
  it('is not ready for doctor where only a host is not accepted', async () => {
    const [finding] = checkSources(await kernelWith(await unacceptedHost(), { books: local }));
    expect(finding).to.include({ state: 'warning', message: 'books (plugin openapi) is quarantined: 0 tools' });
    expect(finding?.details?.join()).to.match(/host that was not accepted. Accept that with "toolkit openapi update books"/);
    expect(finding).to.not.have.property('hint');
  });

  it('is not ready for doctor where its document differs from what was accepted', async () => {
    const folder = await acceptedProject();
    await edit(path.join(folder, 'library.json'), (text) => text.replace('"removeBook"', '"dropBook"'));
    const [finding] = checkSources(await kernelWith(folder, { books: local }));
    expect(finding).to.include({ state: 'warning', message: 'books (plugin openapi) is quarantined: 4 tools' });
    expect(finding?.details?.join()).to.match(/library\.json has changed: .*"toolkit openapi update books"/);
  });
});

import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { applyChanges } from '../../../../plugins/shared/definition-files/earlier-form/change.ts';
import { definitionChanges } from '../../../../plugins/shared/definition-files/earlier-form/definition-changes.ts';
import { migrateFolder } from '../../../../plugins/tool-files/migrate/migrate-folder.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from '../../../tools/core/fs/as-nobody.ts';

describe('a folder that is migrated', () => {
  it('has files that say what they meant before', async () => {
    const { changed, unchanged: same, broken } = await migrateFolder('fixtures/definitions/earlier');
    expect([changed.length, same, broken]).to.deep.equal([4, 0, []]);
    for (const { file, before, after } of changed) {
      const written: unknown = parse(before);
      expect(parse(after), file).to.deep.equal(applyChanges(written, definitionChanges(written)));
    }
  });

  it('keeps comments, quotes, spaces and the order of what stays', async () => {
    const cwd = await temporaryFolder({
      'a.yaml': `# about a
name: "a" # its name
execution:
    type: http # of the web
    # a safe one
    method: GET # really
    timeout: 5 # short
tags: [one,  two]
`,
    });
    const { changed } = await migrateFolder(cwd);
    expect(changed.map(({ after }) => after)).to.deep.equal([
      `# about a
name: "a" # its name
execution:
    type: http # of the web
    # a safe one
    method: get # really
    timeout_ms: 5 # short
tags: [one,  two]
`,
    ]);
  });

  const ends = [
    { of: 'CR LF', written: 'name: a\r\nexecution:\r\n  type: http\r\n  method: GET\r\n  timeout: 5\r\n' },
    { of: 'CR LF and LF', written: 'name: a\r\nexecution:\n  method: GET\r\n  type: http\n  timeout: 5\r\n' },
    { of: 'a byte order mark and LF', written: '\uFEFFname: a\nexecution:\n  type: http\n  method: GET\n  timeout: 5\n' },
  ];
  for (const { of, written } of ends) {
    it(`keeps ${of}, so that its patch shows the changes alone`, async () => {
      const { changed } = await migrateFolder(await temporaryFolder({ 'a.yaml': written }));
      expect(changed.map(({ after }) => after)).to.deep.equal([written.replace('GET', 'get').replace('timeout', 'timeout_ms')]);
    });
  }

  it('names a folder that cannot be read', async () => {
    const cwd = await temporaryFolder({ 'closed/a.yaml': 'name: a', 'b.yaml': 'name: x\nexecution: { type: http, method: get }\n' });
    await chmod(cwd, 0o755);
    await chmod(path.join(cwd, 'closed'), 0);
    const { unchanged: same, broken } = await asNobody(() => migrateFolder(cwd));
    await chmod(path.join(cwd, 'closed'), 0o755);
    expect([same, broken.length]).to.deep.equal([1, 1]);
    expect(broken[0]?.[0]).to.match(/closed\/?: cannot be read: EACCES/);
  });

  it('is looked through as a whole, whatever cannot be read', async () => {
    const cwd = await temporaryFolder({
      'bad.yaml': 'name: [\nb: "',
      'deep/old.yml': 'execution: { type: http, method: GET }\n',
      'new.yaml': 'name: x\nexecution: { type: http, method: get }\n',
      'node_modules/a/old.yaml': 'execution: { type: http, method: GET }\n',
    });
    const { changed, unchanged: same, broken } = await migrateFolder(cwd);
    expect([changed.map(({ file }) => file.slice(cwd.length)), same]).to.deep.equal([['/deep/old.yml'], 1]);
    expect(broken).to.have.length(1);
    expect(broken[0]?.[0]).to.include(path.join(cwd, 'bad.yaml:'));
  });
});

import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles, ToolkitError } from '../../../../kernel/index.ts';
import { BlockedFiles } from '../../../../plugins/shared/control-files/blocked-files.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const rule = (pattern: string, read = true) => ({ pattern, what: pattern, read, plugin: 'test' });
const { signal } = new AbortController();

function refusal(held: BlockedFiles): ToolkitError | undefined {
  try {
    held.refuse({ action: 'moved' });
    return undefined;
  } catch (error) {
    if (ToolkitError.is(error)) return error;
    throw error;
  }
}

describe('control files that work on many files comes upon', () => {
  it('are five in the message, and the number of the others', () => {
    const held = new BlockedFiles(new ControlFiles([rule('.git')]));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a']) held.check(`/${name}/.git`, 'write');
    const { message, details } = refusal(held) ?? {};
    expect(message).to.include('"/e/.git" (.git, named by test) and 2 more.').and.not.to.include('"/f/.git"');
    expect(details?.['controlFiles']).to.equal(7);
  });

  it('are none where there are none', () => {
    const held = new BlockedFiles(new ControlFiles([rule('.git')]));
    expect(held.check('/a/.gitignore', 'write')).to.equal(false);
    expect(held.check('/a/.git/x', 'read')).to.equal(false);
    expect(refusal(held)).to.equal(undefined);
  });

  it('are found in a folder, at its new place, and where one is only named', async () => {
    const folder = await temporaryFolder({ 'a/b/.env/x': '', 'a/c/x': '', 'd/x': '' });
    await symlink(folder, path.join(folder, 'a/c/link'));
    const cases = [
      { rules: [rule('.env')], from: 'a', to: undefined, found: ['a/b/.env'] },
      { rules: [rule('.env')], from: 'd', to: undefined, found: [] },
      { rules: [rule(path.join(folder, 'z/c'))], from: 'a', to: 'z', found: ['z/c'] },
      { rules: [rule(path.join(folder, 'd/later'))], from: 'd', to: 'z', found: ['d/later'] },
    ];
    for (const { rules, from, to, found } of cases) {
      const held = new BlockedFiles(new ControlFiles(rules));
      await held.checkFolder(path.join(folder, from), signal, to === undefined ? undefined : path.join(folder, to));
      expect(refusal(held)?.details['files'] ?? []).to.deep.equal(found.map((file) => path.join(folder, file)));
    }
  });

  it('end the search when the call is cancelled', async () => {
    const held = new BlockedFiles(new ControlFiles([]));
    const ended = held.checkFolder(await temporaryFolder(), AbortSignal.abort('enough')).catch((reason: unknown) => reason);
    expect(await ended).to.equal('enough');
  });
});

import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type HookName, type Plugin } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { landscape, see, seeing } from './landscape.ts';

const anything = {
  read: { type: 'string', path: 'read' },
  write: { type: 'string', path: 'write' },
  list: { type: 'array', path: 'read' },
};

/** Does something between the check and the moment when the tool runs, as another call or program might while a person is asked. */
function meanwhile(act: () => Promise<unknown>): Plugin {
  return definePlugin({
    name: 'meanwhile',
    apiVersion,
    apply: ({ hooks }) => hooks.beforeExecute.tapPromise('meanwhile', async () => void (await act())),
  })();
}

describe('a path that was checked', () => {
  const changes: { what: string; given: Record<string, unknown>; act: (root: string) => Promise<unknown> }[] = [
    {
      what: 'whose file has become a link that leaves the root',
      given: { read: 'file.txt' },
      act: async (root) => {
        await rm(path.join(root, 'file.txt'));
        await symlink('../outside/secret.txt', path.join(root, 'file.txt'));
      },
    },
    {
      what: 'whose file has become a link to another file of the root',
      given: { read: 'file.txt' },
      act: async (root) => {
        await rm(path.join(root, 'file.txt'));
        await symlink('folder/inner.txt', path.join(root, 'file.txt'));
      },
    },
    {
      what: 'whose folder has become a link that leaves the root',
      given: { write: 'folder/secret.txt' },
      act: async (root) => {
        await rename(path.join(root, 'folder'), path.join(root, 'moved'));
        await symlink('../outside', path.join(root, 'folder'));
      },
    },
    {
      what: 'that did not exist and is a link now',
      given: { write: 'new.txt' },
      act: (root) => symlink('../outside/new.txt', path.join(root, 'new.txt')),
    },
    {
      what: 'in a folder that did not exist and is a link now',
      given: { write: 'new/file.txt' },
      act: (root) => symlink('../outside', path.join(root, 'new')),
    },
    {
      what: 'whose link leads to a folder that has become a link',
      given: { read: 'inner-link/secret.txt' },
      act: async (root) => {
        await rename(path.join(root, 'folder'), path.join(root, 'moved'));
        await symlink('../outside', path.join(root, 'folder'));
      },
    },
    {
      what: 'in a list, one of which has become a link',
      given: { list: ['folder/inner.txt', 'file.txt'] },
      act: async (root) => {
        await rm(path.join(root, 'file.txt'));
        await symlink('/etc/passwd', path.join(root, 'file.txt'));
      },
    },
  ];
  for (const { what, given, act } of changes) {
    it(`${what} is not handed to the tool`, async () => {
      const root = path.join(await landscape(), 'root');
      const kernel = await seeing(root, {}, anything, [meanwhile(() => act(root))]);
      await rejection(kernel.execute('see', given), 'INVALID_PARAMETERS');
    });
  }

  it('and leads to another place inside the root is refused with the reason', async () => {
    const root = path.join(await landscape(), 'root');
    const act = async () => {
      await rm(path.join(root, 'file.txt'));
      await symlink('folder/inner.txt', path.join(root, 'file.txt'));
    };
    const error = await rejection(
      (await seeing(root, {}, anything, [meanwhile(act)])).execute('see', { read: 'file.txt' }),
      'INVALID_PARAMETERS',
    );
    expect(error.message).to.include('Parameter "read" of "see": leads somewhere else now than when it was checked');
  });

  it('is handed to the tool when only its content has changed', async () => {
    const root = path.join(await landscape(), 'root');
    const act = async () => {
      await writeFile(path.join(root, 'file.txt'), 'other');
      await mkdir(path.join(root, 'new'));
      await writeFile(path.join(root, 'new/file.txt'), '');
    };
    const kernel = await seeing(root, {}, anything, [meanwhile(act)]);
    const given = { read: 'file.txt', write: 'new/file.txt', list: ['inner-link'] };
    expect(await see(kernel, given)).to.deep.equal({
      read: path.join(root, 'file.txt'),
      write: path.join(root, 'new/file.txt'),
      list: [path.join(root, 'folder')],
    });
  });

  for (const value of ['/etc/passwd', '../outside/secret.txt', 'file.txt']) {
    it(`and that a later plugin puts ${value} in the place of is not handed to the tool`, async () => {
      const root = path.join(await landscape(), 'root');
      const careless = definePlugin({
        name: 'careless',
        apiVersion,
        apply: ({ hooks }) =>
          hooks.beforeExecute.tap('careless', (draft) => ({ ...draft, parameters: { ...draft.parameters, read: value } })),
      });
      await rejection((await seeing(root, {}, anything, [careless()])).execute('see', { read: 'file.txt' }), 'INVALID_PARAMETERS');
    });
  }

  it('is checked again after everything else that may take time, and before the tool', async () => {
    const root = path.join(await landscape(), 'root');
    const late = definePlugin({
      name: 'late',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('*').tapPromise('late', async () => {
          await rm(path.join(root, 'file.txt'));
          await symlink('../outside/secret.txt', path.join(root, 'file.txt'));
          return undefined;
        }),
    });
    const kernel = await seeing(root, {}, anything, [late()]);
    expect(kernel.tapsOf('execute' satisfies HookName).map(({ name }) => name)).to.include('confine-paths');
    await rejection(kernel.execute('see', { read: 'file.txt' }), 'INVALID_PARAMETERS');
  });
});

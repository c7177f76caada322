import path from 'node:path';
import { apiVersion, definePlugin, ToolkitError } from '../../kernel/index.ts';
import { hasLock } from './accepted/has-lock.ts';
import { lockChecks } from './checks.ts';
import { lockCommands } from './commands/commands.ts';

/**
 * Serves what `toolkit.lock` has an entry for only as it was accepted. Tools and skills that differ are withheld; a plugin that differs
 * refuses the start. Without that file it does nothing.
 */
export const lockFile = definePlugin({
  name: 'lock-file',
  apiVersion,
  commands: lockCommands,
  checks: lockChecks,
  apply(kernel) {
    const { cwd: folder, extend, hooks, logger } = kernel;
    for (const name of ['toolkit.lock', 'toolkit.lock.*']) extend.controlFiles(path.join(folder, name), { what: 'what was accepted' });
    hooks.discover.tapPromise('lock-file', async (sink) => {
      if (!hasLock(folder)) return;
      const { lockDigest } = await import('./items/tool-items.ts');
      sink.derive(lockDigest);
    });
    extend.ready(async () => {
      if (!hasLock(folder)) return;
      const { readLock } = await import('./accepted/read-lock.ts');
      const { changedPlugins } = await import('./serve/locked-out.ts');
      const changed = changedPlugins(kernel.kernel, await readLock(folder), folder);
      if (changed.length === 0) return;
      const one = changed.length === 1;
      throw new ToolkitError(
        'CONFIG_INVALID',
        `The ${one ? 'plugin' : 'plugins'} ${changed.join(', ')} ${one ? 'differs' : 'differ'} from toolkit.lock, so nothing was started. See what differs: toolkit lock --check. Accept it: toolkit accept`,
      );
    });
    let reported = '';
    extend.withhold(async (registry, reads) => {
      if (!hasLock(folder)) return [];
      const { readLock } = await import('./accepted/read-lock.ts');
      const { lockedOut } = await import('./serve/locked-out.ts');
      const withheld = await lockedOut(registry, { kernel: kernel.kernel, entries: await readLock(folder), folder, reads });
      const message = withheld.map(({ kind, name, how }) => `the ${kind} "${name}" ${how}`).join(', ');
      if (message !== '' && message !== reported) logger.warn(`withheld until a person accepts it: ${message}`);
      reported = message;
      return withheld;
    });
  },
});

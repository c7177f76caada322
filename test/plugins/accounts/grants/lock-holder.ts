/** A process that holds the lock of the store in `FOLDER` for ever, as a child of `folder-lock.e2e.ts`. `STEP`: how far it has come. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FolderLock } from '../../../../plugins/accounts/grants/folder-lock.ts';
import { replaceFile } from '../../../../plugins/accounts/grants/replace-file.ts';
import { ProcessMembers } from '../../../../plugins/shared/cluster/process-members.ts';
import { SocketPresence } from '../../../../plugins/shared/cluster/socket-presence.ts';

const { FOLDER = '', STEP = '' } = process.env;
const entries = path.join(FOLDER, 'entries');
const presence = new SocketPresence(FOLDER);
const members = new ProcessMembers(async () => presence);
const lock = new FolderLock(path.join(FOLDER, 'lock'), () => members.join());

process.on('disconnect', () => process.exit());
await lock.hold(async () => {
  if (STEP === 'writing') await writeFile(path.join(entries, '.part'), 'half of a te');
  if (STEP === 'written') await replaceFile(path.join(entries, 'of-the-holder'), 'whole');
  process.send?.('holds');
  await new Promise(() => {});
});

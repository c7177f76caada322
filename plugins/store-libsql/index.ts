import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { stateFolder } from '../shared/project/account-folders.ts';
import { EncryptedStore } from '../shared/state/encrypted-store.ts';
import { libsqlChecks } from './checks.ts';
import { openTable } from './open-table.ts';
import { pollIntervalMs } from './sql-file.ts';

/**
 * Stores the state of plugins in a SQLite file, shared by all processes of this machine and kept over a restart: used approvals, sessions,
 * limits, cached results, long results. Values are encrypted with TOOLKIT_KEY, or with the key of this account. Needs the package `libsql`. For
 * several machines use `store-postgres`.
 */
export const storeLibsql = definePlugin({
  name: 'store-libsql',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Path of the file, created on first use and readable by this account only. Not on a network drive. @default 'toolkit/state.db' in the state folder of the account */
      path: Type.Optional(Type.String({ minLength: 1 })),
    },
    { additionalProperties: false },
  ),
  checks: libsqlChecks,
  apply({ cwd, extend, logger, maskAlso }, { path: configuredPath }) {
    const file = configuredPath === undefined ? path.join(stateFolder(), 'state.db') : path.resolve(cwd, configuredPath);
    const keys = new HostKeys({ logger, maskAlso });
    extend.controlFiles(() => [file, `${file}-wal`, `${file}-shm`, `${file}-processes`], { what: 'the store of the service', read: false });
    extend.stateStore(new EncryptedStore(() => openTable(file, keys), keys.cipher('state'), { pollMs: pollIntervalMs }));
  },
});

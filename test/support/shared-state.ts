import path from 'node:path';
import { apiVersion, definePlugin, type Plugin, type StateStore, ToolkitError } from '../../kernel/index.ts';
import { Cipher } from '../../plugins/shared/keys/cipher.ts';
import { EncryptedStore } from '../../plugins/shared/state/encrypted-store.ts';
import { openTable } from '../../plugins/store-libsql/open-table.ts';
import { temporaryFolder } from './temporary.ts';

const key = new Uint8Array(32).fill(7);

/** A store in a file, empty, for several kernels, as several processes have it. */
export interface SharedState {
  /** A store of its own on the same file. */
  open(): StateStore;
  /** A plugin that gives one kernel such a store. */
  plugin(): Plugin;
}

export async function sharedState(): Promise<SharedState> {
  const file = path.join(await temporaryFolder(), 'state.db');
  const open = (): StateStore => storeInFile(file);
  return { open, plugin: () => stateStore(open()) };
}

/** A store on a file, as one process has it. */
export function storeInFile(file: string): StateStore {
  return new EncryptedStore(() => openTable(file, { isPersistent: true }), new Cipher(() => [key]));
}

/** A store that cannot be reached. `tries` counts how often somebody wanted to. */
export function unreachableState(): { readonly plugin: () => Plugin; tries: number } {
  const made = {
    tries: 0,
    plugin: () =>
      stateStore(
        new EncryptedStore(
          async () => {
            made.tries++;
            throw new ToolkitError('STATE_UNAVAILABLE', 'The store cannot be used: it is away.');
          },
          new Cipher(() => [key]),
        ),
      ),
  };
  return made;
}

function stateStore(store: StateStore): Plugin {
  return definePlugin({ name: 'state-store', apiVersion, apply: ({ extend }) => extend.stateStore(store) })();
}

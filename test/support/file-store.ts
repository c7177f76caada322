import path from 'node:path';
import { storeLibsql } from '../../plugins/store-libsql/index.ts';
import { temporaryFolder } from './temporary.ts';

/** The plugin that keeps state in a file, each time anew as a further process would have it. */
export async function fileStore(): Promise<() => ReturnType<typeof storeLibsql>> {
  const file = path.join(await temporaryFolder(), 'state.db');
  return () => storeLibsql({ path: file });
}

import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { withValues } from './env-text.ts';

/**
 * Adds values to the file of secrets, which only its owner may read from then on. No copy of it is kept. Throws CONFIG_INVALID, with the file
 * as it was, for one that cannot be changed with certainty.
 */
export async function writeValues(place: string, values: ReadonlyMap<string, string>): Promise<void> {
  const read = await readClientFile(place);
  await writeClientFile(read, await withValues(read.text, values), { mostMode: 0o600 });
}

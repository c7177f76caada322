import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { withValues } from './env-text.ts';

/**
 * Adds values to the file of secrets and makes it readable by its owner only. Makes no backup. Throws CONFIG_INVALID and leaves the file
 * unchanged when it cannot be changed safely.
 */
export async function writeValues(place: string, values: ReadonlyMap<string, string>): Promise<void> {
  const read = await readClientFile(place);
  await writeClientFile(read, await withValues(read.text, values), { mostMode: 0o600 });
}

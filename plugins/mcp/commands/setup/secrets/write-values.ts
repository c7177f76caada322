import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { withValues } from './env-text.ts';

/**
 * Adds values to the file of secrets and makes it readable by its owner only. Makes no backup. Throws CONFIG_INVALID and leaves the file
 * unchanged when it cannot be changed safely.
 */
export async function writeValues(file: string, values: ReadonlyMap<string, string>): Promise<void> {
  const original = await readClientFile(file);
  await writeClientFile(original, await withValues(original.text, values), { maxMode: 0o600 });
}

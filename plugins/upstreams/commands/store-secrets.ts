import path from 'node:path';
import { revealSecret, type Secret } from '../../../kernel/index.ts';
import { asOnlyWriter } from '../../shared/lock/lock-writer.ts';
import { replaceFile } from '../../shared/lock/plain-file.ts';
import { readTextIfThere } from '../../shared/text/read-text.ts';
import type { ImportedSecret } from '../import/imported.ts';

interface StoredSecrets {
  /** Lines for a person. */
  readonly notes: readonly string[];
  /** The secrets that were written, by name. */
  readonly written: ReadonlyMap<string, Secret>;
}

/** Writes the values of secrets into `.env`, which no other account may read. A name that is there keeps its value. */
export async function storeSecrets(folder: string, secrets: readonly ImportedSecret[]): Promise<StoredSecrets> {
  const valued = secrets.filter(({ value }) => value !== undefined);
  const missing = secrets.filter(({ value }) => value === undefined);
  const notes = missing.map(({ name, usedBy }) => `Provide the secret ${name} (${usedBy.join(', ')}), such as in .env.`);
  const written = new Map<string, Secret>();
  if (valued.length === 0) return { notes, written };
  const file = path.join(folder, '.env');
  await asOnlyWriter(file, async () => {
    const text = (await readTextIfThere(file)) ?? '';
    const lines: string[] = [];
    for (const { name, value } of valued) {
      if (new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, 'm').test(text)) notes.push(`.env has ${name} already, and keeps its value.`);
      else if (value !== undefined) {
        lines.push(`${name}=${quoted(revealSecret(value))}`);
        written.set(name, value);
      }
    }
    if (lines.length === 0) return;
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    await replaceFile(file, `${text}${separator}${lines.join('\n')}\n`, 0o600);
  });
  if (written.size > 0) notes.push(`Written into .env, which does not belong into git: ${[...written.keys()].join(', ')}.`);
  return { notes, written };
}

/** Returns a value as `.env` files have it: as it is, or in quotes that the value does not have. */
function quoted(value: string): string {
  if (/^[\w./:+=@%-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${quote}${value}${quote}`;
}

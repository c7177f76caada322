import path from 'node:path';
import { revealSecret, Secret, ToolkitError } from '../../../kernel/index.ts';
import { asOnlyWriter } from '../../shared/lock/lock-writer.ts';
import { replaceFile } from '../../shared/lock/plain-file.ts';
import { readTextIfThere } from '../../shared/text/read-text.ts';
import type { ImportedSecret } from '../import/imported.ts';

interface StoredSecrets {
  /** Lines for a person. */
  readonly notes: readonly string[];
  /** The secrets that `.env` has now, by name. */
  readonly stored: ReadonlyMap<string, Secret>;
}

/**
 * Writes the values of secrets into `.env`, which no other account may read. Throws INVALID_PARAMETERS, before anything is written, when `.env` has
 * another value under such a name; with `replace` it is replaced.
 */
export async function storeSecrets(folder: string, secrets: readonly ImportedSecret[], replace: boolean): Promise<StoredSecrets> {
  if (secrets.length === 0) return { notes: [], stored: new Map() };
  const file = path.join(folder, '.env');
  return asOnlyWriter(file, async () => {
    const text = (await readTextIfThere(file)) ?? '';
    const known = await valuesIn(text);
    const notes: string[] = [];
    const stored = new Map<string, Secret>();
    const missing: ImportedSecret[] = [];
    const other: ImportedSecret[] = [];
    for (const secret of secrets) {
      const { name, value, usedBy } = secret;
      const found = known.get(name);
      if (found !== undefined && (value === undefined || revealSecret(value) === found)) stored.set(name, new Secret(name, found));
      else if (value === undefined) notes.push(`Provide the secret ${name} (${usedBy.join(', ')}), such as in .env.`);
      else if (found === undefined) missing.push(secret);
      else other.push(secret);
    }
    if (other.length > 0 && !replace) throw takenNames(file, other);
    const written = [...missing, ...other];
    if (written.length === 0) return { notes, stored };
    const kept = other.length === 0 ? text : withoutLines(text, other, file);
    const separator = kept === '' || kept.endsWith('\n') ? '' : '\n';
    const lines = written.map(({ name, value }) => `${name}=${quoted(name, value === undefined ? '' : revealSecret(value))}\n`);
    await replaceFile(file, `${kept}${separator}${lines.join('')}`, 0o600);
    for (const { name, value } of written) if (value !== undefined) stored.set(name, value);
    const names = written.map(({ name }) => name).join(', ');
    return { notes: [...notes, `Written into .env, which does not belong into git: ${names}.`], stored };
  });
}

/** Returns the values that a resolver of `.env` finds, by plain name: `TOOLKIT_<NAME>` comes first. */
async function valuesIn(text: string): Promise<ReadonlyMap<string, string>> {
  const { parse } = await import('dotenv');
  const values = new Map(Object.entries(parse(text)).map(([name, value]) => [name, value.replaceAll('\\$', '$')]));
  for (const [name, value] of values) if (name.startsWith('TOOLKIT_') && value !== '') values.set(name.slice('TOOLKIT_'.length), value);
  return values;
}

function takenNames(file: string, taken: readonly ImportedSecret[]): ToolkitError {
  const names = taken.map(({ name, usedBy }) => `${name} (${usedBy.join(', ')})`).join(', ');
  const [first] = taken;
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Nothing was added: ${file} has another value for ${names}. To replace it, repeat the command with --replace-secret. To use the one that is there, give {${first?.name}} in place of the value. To have both, give the server another name.`,
  );
}

/** Removes the lines of these names. Throws INVALID_PARAMETERS for a value that cannot be removed as one line. */
function withoutLines(text: string, secrets: readonly ImportedSecret[], file: string): string {
  let left = text;
  for (const { name } of secrets) {
    const lines = left.split('\n').filter((line) => !new RegExp(`^\\s*(?:export\\s+)?(?:TOOLKIT_)?${name}\\s*[=:]`).test(line));
    left = lines.join('\n');
  }
  const names = (of: string): number => of.split('\n').filter((line) => line.trim() !== '').length;
  const isMultiline = /=\s*(["'`])(?:(?!\1)[^\n])*\n(?:(?!\1)[\s\S])*\1/.test(text);
  if (isMultiline || names(left) >= names(text))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing was added: ${file} has values of several lines. Change ${secrets[0]?.name} there by hand.`,
    );
  return left;
}

/** Returns a value as `.env` files have it: as it is, or in quotes that the value does not have. Throws INVALID_PARAMETERS for one with all three. */
function quoted(name: string, value: string): string {
  if (/^[\w./:+=@%-]*$/.test(value)) return value;
  // A dollar sign begins a reference in all quotes, and a line break is written in double ones.
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark) && !(mark === '"' && /\\[nr]/.test(value)));
  if (quote === undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing was added: the value of ${name} cannot stand in .env. Provide it by another resolver, as {${name}}.`,
    );
  return `${quote}${value.replaceAll('$', '\\$')}${quote}`;
}

import { type LockedDigests, type LockedEntries, type LockedSection, lockedSections } from '../items/lock-item.ts';

const entryLine = /^ {2}([A-Za-z_][\w./-]{0,199}|"@[\w./-]{1,199}"): (sha256-[\w-]{43})(?: (sha256-[\w-]{43}))?$/;

/**
 * Returns the entries of a lock as this program writes it, line by line: the YAML library would take a fifth of a second for hundreds of
 * tools at each start. Undefined for a text that needs it.
 */
export function readLines(text: string): LockedEntries | undefined {
  const entries: Record<LockedSection, Map<string, LockedDigests>> = { tools: new Map(), plugins: new Map(), skills: new Map() };
  const seen = new Set<string>();
  let section: Map<string, LockedDigests> | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      const [, key = '', rest = ''] = /^([a-z]+):(.*)$/.exec(line) ?? [];
      // Each key once, in block form, and nothing else at the left edge.
      if (key === '' || seen.has(key) || (key === 'version' ? rest !== ' 1' : rest !== '')) return undefined;
      seen.add(key);
      section = lockedSections.includes(key as LockedSection) ? entries[key as LockedSection] : undefined;
    } else if (section !== undefined) {
      const [, written, digest, code] = entryLine.exec(line) ?? [];
      if (written === undefined || digest === undefined) return undefined;
      const name = written.startsWith('"') ? written.slice(1, -1) : written;
      if (section.has(name) || isYamlWord(name)) return undefined;
      section.set(name, code === undefined ? { digest } : { digest, code });
    }
  }
  return seen.has('version') ? entries : undefined;
}

/** True for a plain name that YAML reads as no text. */
function isYamlWord(name: string): boolean {
  return /^(?:null|true|false|~)$/i.test(name);
}

import type { LockSection } from '../../shared/lock/lock-file.ts';
import { kindOf, type LockedDigests, type LockedSection } from '../items/lock-item.ts';

/** Returns a section of digests, one line an entry: `pay: sha256-<definition> sha256-<code>`. */
export function digestsSection(section: LockedSection): LockSection<LockedDigests> {
  return {
    name: section,
    isName: (name) => /^[\w@./-]{1,200}$/.test(name),
    parse(value, fail) {
      const [, digest, code] = /^(sha256-[\w-]{43})(?: (sha256-[\w-]{43}))?$/.exec(typeof value === 'string' ? value : '') ?? [];
      if (digest === undefined) return fail(`a ${kindOf[section]} to have one or two digests`);
      return code === undefined ? { digest } : { digest, code };
    },
    format: ({ digest, code }) => (code === undefined ? digest : `${digest} ${code}`),
  };
}

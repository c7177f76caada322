import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { sources } from './sources.ts';

/** Work of Node whose time grows with the square of what it is given, on a text by others: no limit and no signal ends it. */
const costly =
  /\.normalize\(|\bnew URL\((?![^()]*import\.meta\.url\))|\bURL\.(?:canParse|parse)\(|\bdomainTo(?:ASCII|Unicode)\(|\burl\.parse\(/g;

/** Places that are not to go through `parseUrl`, `toUrl`, `asciiHost`, `unicodeHost` and `normalizeText` of the kernel, with how many there are. */
const allowed: Readonly<Record<string, { readonly places: number; readonly reason: string }>> = {
  'kernel/schema/parse-url.ts': { places: 4, reason: 'the one place for URLs and hosts' },
  'kernel/schema/normalize-text.ts': { places: 1, reason: 'the one place for normalization' },
  'tools/postgres/url.ts': { places: 2, reason: 'the connection URL of the operator; a package that imports nothing of the kernel' },
  'tools/core/net/subject-names.ts': { places: 1, reason: 'an IPv6 address that net.isIP has accepted' },
};

describe('URLs and marks in texts by others', () => {
  it('are parsed and put in order in the one place for each, which refuses long ones first', async () => {
    const places: Record<string, number> = {};
    for (const file of await sources()) {
      const text = await readFile(file, 'utf8');
      const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/\bpath\s*\.normalize\(/g, '');
      const count = [...code.matchAll(costly)].length;
      if (count > 0) places[file] = count;
    }
    const expected = Object.fromEntries(Object.entries(allowed).map(([file, entry]) => [file, entry.places]));
    expect(places, 'See `parseUrl`, `toUrl` and `normalizeText` of the kernel').to.deep.equal(expected);
  });
});

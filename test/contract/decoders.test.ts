import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

/** The one room in which bytes become a text: what it gives has no byte order mark, and is strict or counted. */
const room = 'plugins/shared/text/';

/** The same of a package, which imports nothing of the program: strict, and the encoding is named by the caller. */
const roomOfData = 'tools/data/files/decoded-text.ts';

/** Messages of MCP and of programs in other languages, whose bytes are judged where their lines are taken. */
const messages = ['plugins/shared/json-rpc/', 'plugins/mcp/transports/http/checks.ts'];

/** Ways from bytes to a text in JavaScript: whoever finds another one adds it here. */
const decoders = [
  /new TextDecoder\(/,
  /new StringDecoder\(/,
  /new TextDecoderStream\(/,
  /\.setEncoding\(/,
  /\.toString\(\s*['"]utf-?8/,
  /(?:bytes|content|stdout|stderr|chunks?|buffer|body|line|data|output|source|Buffer\.\w+\([^)]*\))\.toString\(\s*\)/i,
  /readFile(?:Sync)?\([^;]*['"]utf-?8['"]/,
  /readdir(?:Sync)?\(.*encoding: ['"]utf-?8['"]/,
  /exec\w*\(.*encoding: ['"]utf-?8['"]/,
  /spawn\w*\(.*encoding: ['"]utf-?8['"]/,
  /\bresponse\.(?:text|json)\(\)/i,
  /\.body\.(?:text|json)\(\)/,
  /from 'node:stream\/consumers'/,
];

/** Says why the bytes of this line are none of others: the program itself has written them, or only looks for something in them. */
const mark = /\/\/ Own text: \S/;

/** Programs that run when this is built, and what they make; code of packages. */
const notShipped =
  /\/(?:node_modules|dist|docs|build|tests)\/|(?:^|\/)(?:build-packages|bundle-options|write-manifests|write-code-cache|doc-comments)\.[mt]?[jt]s$/;

function sources(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
      .filter((file) => /\.(?:[cm]?ts|[cm]?js)$/.test(file) && !file.endsWith('.d.ts') && !notShipped.test(file))
      // What was built of it.
      .filter((file, _, all) => !file.endsWith('.js') || !all.includes(file.replace(/js$/, 'ts')))
  );
}

describe('every text that is made of bytes', () => {
  it('is made in one room, or is marked as our own', () => {
    const files = ['kernel', 'plugins', 'tools']
      .flatMap(sources)
      .filter((file) => ![room, roomOfData, ...messages].some((own) => file.startsWith(own)));
    expect(files.length).to.be.above(500);
    const found = files.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.flatMap((line, index) => {
        const isComment = /^\s*(?:\/?\*|\/\/)/.test(line);
        const isMarked = mark.test(line) || mark.test(lines[index - 1] ?? '');
        return !isComment && !isMarked && decoders.some((decoder) => decoder.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [];
      });
    });
    expect(found).to.deep.equal([]);
  });
});

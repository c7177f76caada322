import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { after } from 'mocha';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { randomNumbers } from '../../support/random.ts';
import { onceForFile, temporaryFolder } from '../../support/temporary.ts';
import { optionsWithSecrets } from './crypto/signing.ts';

/** The tools whose texts and values need not be typed. */
const byPath =
  /^(convert|json|text|encode|decode)_|^(math_statistics|math_linear_regression|crypto_hash|crypto_hmac_sign|crypto_hmac_verify|toolkit_validate_tool|fs_write_file)$|^web_extract_/;

/** It reads a file by its own parameter. */
const exempt: ReadonlySet<string> = new Set(['convert_pdf_to_text']);

const listed = await Toolkit.init({ logger: memoryLogger() });
const tools = listed.listTools();
await listed.close();

const key = 'whsec-0123456789-of-these-tests';

const shared = onceForFile(async () => {
  const folder = await temporaryFolder();
  const toolkit = await Toolkit.init({ logger: memoryLogger(), roots: [folder], ...optionsWithSecrets({ HOOK_SECRET: key }) });
  return { folder, toolkit };
});
after(async () => (await shared()).toolkit.close());

describe('a core tool that takes a text or a value', () => {
  const taking = tools.filter(({ name }) => byPath.test(name) && !exempt.has(name));

  it('takes it by path as well, as each of these does', () => {
    expect(taking.length).to.be.at.least(50);
    const without = taking.filter(({ parameters }) => !Object.values(parameters).some(({ from }) => from === 'path'));
    expect(without.map(({ name }) => name)).to.deep.equal([]);
  });

  it('has examples of each such parameter, but those that need the world outside', () => {
    const unseen = taking.flatMap(({ name, parameters, definition: { examples = [] } }) =>
      Object.entries(parameters)
        .filter(([key, { from }]) => from === 'path' && !examples.some(({ parameters: given }) => Object.hasOwn(given ?? {}, key)))
        .map(([key]) => `${name} ${key}`),
    );
    expect(unseen).to.deep.equal(['web_extract_article html']);
  });

  for (const { name, parameters, definition } of taking.filter(
    ({ annotations, name: tool }) => annotations.readOnlyHint === true && !/hmac/.test(tool),
  ))
    for (const { description, parameters: given = {} } of definition.examples ?? []) {
      const named = Object.keys(given).filter((key) => parameters[key]?.from === 'path');
      if (named.length === 0) continue;
      it(`${name} gives the same by path: ${description}`, async () => {
        const { toolkit, folder } = await shared();
        const typed = await toolkit.execute(name, given);
        const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !named.includes(key)));
        const paths = await Promise.all(
          named.map(async (key, index) => {
            const value = given[key];
            // Each second one is packed.
            const text = parameters[key]?.type === 'string' ? String(value) : JSON.stringify(value);
            const file = `${name}-${key}-${index}`;
            await writeFile(path.join(folder, file), index % 2 === 1 ? gzipSync(text) : text);
            return [`${key}_path`, file] as const;
          }),
        );
        expect(await toolkit.execute(name, { ...rest, ...Object.fromEntries(paths) })).to.deep.equal(typed);
      });
    }
});

describe('a file that text_count takes in blocks', () => {
  it('has the counts of its text', async () => {
    const { toolkit, folder } = await shared();
    const random = randomNumbers(17);
    const ends = ['\n', '\r\n', '\n\n', '. ', '\r', ' \u{1F468}\u200D\u{1F469}\n', 'e\u0301\n', '? '];
    // Two blocks, of which the second has no line end at its end.
    const text = Array.from(
      { length: 90_000 },
      () => `${Math.floor(random() * 1e9).toString(36)} Größe 世${ends[Math.floor(random() * 8)]}`,
    ).join('');
    await writeFile(path.join(folder, 'blocks.txt'), text);
    expect(text.length).to.be.within(1_000_001, 2_000_000);
    expect(await toolkit.execute('text_count', { text_path: 'blocks.txt' })).to.deep.equal(await toolkit.execute('text_count', { text }));
  });

  it('is refused for a line of ten million characters', async () => {
    const { toolkit, folder } = await shared();
    await writeFile(path.join(folder, 'line.txt'), 'x'.repeat(10_000_001));
    const refused = await toolkit.execute('text_count', { text_path: 'line.txt' }).catch((error: unknown) => error);
    expect(String(refused)).to.include('expected lines of at most 10000000 characters');
  });
});

describe('a file of 50 MB', () => {
  const bytes = 50 * 1024 * 1024;
  const large = onceForFile(async () => {
    const { folder, toolkit } = await shared();
    const random = randomNumbers(44);
    const words = Array.from({ length: 64 }, () => `${Math.floor(random() * 1e9).toString(36)} Größe 世`);
    const line = `${words.join(' ')}\n`;
    const content = Buffer.from(line.repeat(Math.ceil(bytes / Buffer.byteLength(line))));
    await writeFile(path.join(folder, 'large.txt'), content);
    return { toolkit, folder, content };
  });

  it('is hashed as it comes', async () => {
    const { toolkit, content } = await large();
    const digest = createHash('sha256').update(content).digest('hex');
    expect(await toolkit.execute('crypto_hash', { text_path: 'large.txt' })).to.deep.equal({ digest });
  });

  it('is signed as it comes, and its signature verified', async () => {
    const { toolkit, content } = await large();
    const signature = createHmac('sha256', key).update(content).digest('hex');
    const given = { text_path: 'large.txt', secret_name: 'HOOK_SECRET' };
    expect(await toolkit.execute('crypto_hmac_sign', given)).to.deep.equal({ signature });
    expect(await toolkit.execute('crypto_hmac_verify', { ...given, signature })).to.deep.equal({ valid: true });
  });

  it('is copied as it comes', async () => {
    const { toolkit, folder, content } = await large();
    const result = await toolkit.execute('fs_write_file', { path: 'copy.txt', content_path: 'large.txt' });
    expect(result).to.include({ bytes_written: content.length, created: true });
    expect((await readFile(path.join(folder, 'copy.txt'))).equals(content)).to.equal(true);
  });

  it('is refused by a tool that takes less, which says how much', async () => {
    const { toolkit } = await large();
    for (const [tool, most] of [
      ['text_sort_lines', 10_000_000],
      ['encode_base64', 10_000_000],
      ['json_format', 4_194_304],
    ] as const) {
      const refused = await toolkit.execute(tool, { text_path: 'large.txt' }).catch((error: unknown) => error);
      expect(String(refused), tool).to.include(`more than ${most} characters, the most that "text" takes`);
    }
  });
});

import { execFileSync } from 'node:child_process';
import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin, ToolkitError } from '../../../../kernel/index.ts';
import { cacheResults } from '../../../../plugins/cache-results/index.ts';
import { readTextPieces } from '../../../../plugins/confine-paths/reading/text-pieces.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { byPath } from '../by-path.ts';

const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('a value that is named by path', () => {
  const read: readonly { what: string; file: string | Buffer; name?: string; as: string; gives: unknown }[] = [
    { what: 'a text', file: 'Grüße 👋\r\n', as: 'text', gives: 'Grüße 👋\r\n' },
    { what: 'an empty text', file: '', as: 'text', gives: '' },
    { what: 'a text with a byte order mark', file: '\uFEFFx', as: 'text', gives: 'x' },
    { what: 'a text with two of them', file: '\uFEFF\uFEFFx', as: 'text', gives: '\uFEFFx' },
    { what: 'UTF-16, little end first', file: utf16('Grüße 👋'), as: 'text', gives: 'Grüße 👋' },
    { what: 'UTF-16, big end first', file: utf16('Grüße 👋', true), as: 'text', gives: 'Grüße 👋' },
    { what: 'a packed text', file: gzipSync('Grüße'), name: 'a.gz', as: 'text', gives: 'Grüße' },
    { what: 'a packed text without the name of one', file: gzipSync('Grüße'), as: 'text', gives: 'Grüße' },
    { what: 'two packed texts, one behind the other', file: Buffer.concat([gzipSync('a'), gzipSync('b')]), as: 'text', gives: 'ab' },
    { what: 'packed UTF-16', file: gzipSync(utf16('ü')), as: 'text', gives: 'ü' },
    { what: 'a packed empty text', file: gzipSync(''), as: 'text', gives: '' },
    { what: 'JSON as a text', file: '{"a":1}', as: 'text', gives: '{"a":1}' },
    { what: 'a list', file: '[1, 2.5]', as: 'list', gives: [1, 2.5] },
    { what: 'a list with a byte order mark', file: '\uFEFF[1]', as: 'list', gives: [1] },
    { what: 'JSON lines', file: '1\n2\r\n\n3', name: 'a.jsonl', as: 'list', gives: [1, 2, 3] },
    { what: 'JSON lines of one line', file: '1\n', name: 'a.ndjson', as: 'list', gives: [1] },
    { what: 'packed JSON lines', file: gzipSync('1\n2\n'), name: 'a.jsonl.gz', as: 'list', gives: [1, 2] },
    { what: 'a number a line, whatever the name', file: '1\n2\n3\n', name: 'a.txt', as: 'list', gives: [1, 2, 3] },
    { what: 'an object', file: '{"id": 7}', as: 'object', gives: { id: 7 } },
    { what: 'a member named __proto__', file: '{"__proto__": 1}', as: 'any', gives: JSON.parse('{"__proto__": 1}') },
    { what: 'an integer beyond 2^53', file: '{"n": 12345678901234567890}', as: 'any', gives: { n: '12345678901234567890' } },
    { what: 'null', file: 'null', as: 'any', gives: null },
    { what: 'JSON lines where any value is taken', file: '{"a":1}\n{"a":2}\n', as: 'any', gives: [{ a: 1 }, { a: 2 }] },
  ];
  for (const { what, file, name = 'a', as, gives } of read)
    it(`is handed over as if it had been typed: ${what}`, async () => {
      const { seen } = await byPath({ [name]: file });
      expect(await seen({ [`${as}_path`]: name })).to.deep.equal({ [as]: gives });
    });

  it('may stand beside another one, and beside one that was typed', async () => {
    const { seen } = await byPath({ a: 'A', b: '[1]' });
    expect(await seen({ text_path: 'a', list_path: 'b', object: { id: 1 } })).to.deep.equal({ text: 'A', list: [1], object: { id: 1 } });
  });

  const refused: readonly {
    what: string;
    file?: string | Buffer;
    as: string;
    code: 'EXECUTION_FAILED' | 'NOT_FOUND' | 'INVALID_PARAMETERS';
    says: string;
  }[] = [
    { what: 'no file', as: 'text', code: 'NOT_FOUND', says: 'there is no such file' },
    { what: 'null bytes', file: Buffer.from([0x61, 0, 0x62]), as: 'text', code: 'EXECUTION_FAILED', says: 'binary file' },
    { what: 'Latin-1', file: Buffer.from('für', 'latin1'), as: 'text', code: 'EXECUTION_FAILED', says: 'not valid UTF-8' },
    {
      what: 'half a character at the end',
      file: Buffer.from('ü').subarray(0, 1),
      as: 'text',
      code: 'EXECUTION_FAILED',
      says: 'not valid UTF-8',
    },
    {
      what: 'gzip that is cut',
      file: gzipSync('abc'.repeat(100)).subarray(0, 20),
      as: 'text',
      code: 'EXECUTION_FAILED',
      says: 'ends too early',
    },
    {
      what: 'gzip that is broken',
      file: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]),
      as: 'text',
      code: 'EXECUTION_FAILED',
      says: 'cannot be unpacked',
    },
    {
      what: 'more characters than the parameter takes',
      file: 'ü'.repeat(100_001),
      as: 'text',
      code: 'INVALID_PARAMETERS',
      says: 'read from text_path',
    },
    {
      what: 'far more',
      file: 'x'.repeat(300_000),
      as: 'text',
      code: 'INVALID_PARAMETERS',
      says: 'more than 100000 characters, the most that "text" takes',
    },
    {
      what: 'far more, packed',
      file: gzipSync('x'.repeat(9_000_000)),
      as: 'text',
      code: 'INVALID_PARAMETERS',
      says: 'more than 100000 characters',
    },
    { what: 'no JSON', file: '{"a": }', as: 'object', code: 'EXECUTION_FAILED', says: 'it is no JSON' },
    { what: 'two values where one is taken', file: '{}\n{}\n', as: 'object', code: 'EXECUTION_FAILED', says: 'it is no JSON' },
    { what: 'a line that is no JSON', file: '1\n2\nx\n', as: 'list', code: 'EXECUTION_FAILED', says: 'line 3 is no JSON' },
    { what: 'an empty file', file: '', as: 'object', code: 'EXECUTION_FAILED', says: 'it is no JSON' },
    { what: 'items of another type', file: '[1, "2"]', as: 'list', code: 'INVALID_PARAMETERS', says: 'list[1] expected number' },
    {
      what: 'too many items',
      file: JSON.stringify(Array.from({ length: 1001 }, () => 1)),
      as: 'list',
      code: 'INVALID_PARAMETERS',
      says: 'read from list_path',
    },
    { what: 'a list for an object', file: '[]', as: 'object', code: 'INVALID_PARAMETERS', says: 'object expected object' },
    {
      what: 'more members than any value may have',
      file: JSON.stringify(Object.fromEntries(Array.from({ length: 100_001 }, (_, n) => [n, 1]))),
      as: 'any',
      code: 'EXECUTION_FAILED',
      says: 'more than 100000 members',
    },
    {
      what: 'deeper nesting than any value may have',
      file: `${'['.repeat(70)}${']'.repeat(70)}`,
      as: 'any',
      code: 'INVALID_PARAMETERS',
      says: '64 levels',
    },
  ];
  for (const { what, file, as, code, says } of refused)
    it(`is refused as it would be if it had been typed, or because it cannot be read: ${what}`, async () => {
      const { seen } = await byPath(file === undefined ? {} : { a: file });
      const error = await rejection(seen({ [`${as}_path`]: 'a' }), code);
      expect(error.message).to.include(says);
      expect(error.message.length).to.be.at.most(700);
    });

  const given: readonly { what: string; call: Readonly<Record<string, unknown>>; says?: string; gives?: unknown }[] = [
    { what: 'neither', call: {}, says: 'text is required: give "text", or "text_path"' },
    { what: 'null for both', call: { text: null, text_path: null }, says: 'text is required' },
    { what: 'both', call: { text: 'x', text_path: 'a' }, says: 'text is given twice: give "text" or "text_path", not both' },
    { what: 'both, the text empty', call: { text: '', text_path: 'a' }, says: 'text is given twice' },
    { what: 'the path alone, null for the text', call: { text: null, text_path: 'a' }, gives: { text: 'A', any: 0 } },
    { what: 'the text alone, null for the path', call: { text: 'x', text_path: null }, gives: { text: 'x', any: 0 } },
    { what: 'a path in place of a default', call: { text: 'x', any_path: 'one' }, gives: { text: 'x', any: 1 } },
    { what: 'null for a default that comes by path', call: { text: 'x', any: null, any_path: 'one' }, gives: { text: 'x', any: 1 } },
    { what: 'a list of paths', call: { text_path: ['a'] }, says: 'text_path expected string' },
  ];
  for (const { what, call, says, gives } of given)
    it(`is there exactly once where it is required: ${what}`, async () => {
      const tool = { parameters: { text: { type: 'string', from: 'path', required: true }, any: { from: 'path', default: 0 } } };
      const { seen } = await byPath({ a: 'A', one: '1' }, { tool });
      if (says === undefined) expect(await seen(call)).to.deep.equal(gives);
      else expect((await rejection(seen(call), 'INVALID_PARAMETERS')).message).to.include(says);
    });
});

describe('the path of a value', () => {
  it('leads to nothing outside of the roots, to no control file that holds secrets, and to no other name of one', async () => {
    const { seen, folder } = await byPath({ '.env': 'A=1', 'in.txt': 'in' });
    const outside = await temporaryFolder({ 'secret.txt': 'planted' });
    await symlink(outside, path.join(folder, 'out'));
    await symlink('.env', path.join(folder, 'env'));
    await symlink('in.txt', path.join(folder, 'alias'));
    await link(path.join(folder, '.env'), path.join(folder, 'hard'));
    await mkdir(path.join(folder, '.git'));
    const places: readonly (readonly [place: string, code: 'INVALID_PARAMETERS' | 'POLICY_DENIED' | 'EXECUTION_FAILED'])[] = [
      ['../x', 'INVALID_PARAMETERS'],
      [path.join(outside, 'secret.txt'), 'INVALID_PARAMETERS'],
      ['out/secret.txt', 'INVALID_PARAMETERS'],
      ['/proc/self/environ', 'INVALID_PARAMETERS'],
      ['.env', 'POLICY_DENIED'],
      ['env', 'POLICY_DENIED'],
      ['hard', 'POLICY_DENIED'],
      ['./.ENV', 'POLICY_DENIED'],
      ['.', 'EXECUTION_FAILED'],
    ];
    for (const [place, code] of places)
      for (const name of ['text_path', 'any_path', 'list_path']) {
        const error = await rejection(seen({ [name]: place }), code);
        expect(error.message).to.not.include('planted');
      }
    expect(await seen({ text_path: 'alias' })).to.deep.equal({ text: 'in' });
  });

  it('opens no pipe', async () => {
    const { seen, folder } = await byPath();
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect((await rejection(seen({ text_path: 'pipe' }), 'EXECUTION_FAILED')).message).to.include('a pipe');
  });

  const swaps = [
    { what: 'the file', given: 'file.txt', place: 'file.txt', target: 'secret.txt' },
    { what: 'its folder', given: 'folder/secret.txt', place: 'folder', target: '' },
  ];
  for (const { what, given, place, target } of swaps)
    it(`is not followed where ${what} has become a link at the very moment when it is read`, async () => {
      const outside = await temporaryFolder({ 'secret.txt': 'planted' });
      let root = '';
      const swap = definePlugin({
        name: 'swap',
        apiVersion,
        apply: ({ hooks }) =>
          // After everything that compares paths.
          hooks.execute.for('*').tapPromise({ name: 'swap', stage: 2000 }, async () => {
            await rm(path.join(root, place), { recursive: true, force: true });
            await symlink(path.join(outside, target), path.join(root, place));
            return undefined;
          }),
      });
      const { seen, folder } = await byPath({ 'file.txt': 'inside' }, { plugins: [swap()] });
      root = folder;
      await mkdir(path.join(folder, 'folder'));
      await writeFile(path.join(folder, 'folder/secret.txt'), 'inside');
      const answer: unknown = await seen({ text_path: given }).catch((error: unknown) => error);
      expect(ToolkitError.is(answer) ? answer.code : answer).to.equal('EXECUTION_FAILED');
      expect(String(answer)).to.not.include('planted');
    });

  it('stands in the record of the call, and what is there does not', async () => {
    const ends: CallEnd[] = [];
    const trail = definePlugin({
      name: 'trail',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
    });
    const { seen, folder } = await byPath(
      { a: 'the content' },
      { plugins: [trail()], tool: { execution: { type: 'function', handler: () => 1 } } },
    );
    await seen({ text_path: 'a' });
    expect(ends.map((end) => end.parameters)).to.deep.equal([{ text_path: path.join(folder, 'a') }]);
  });

  it('is shown to the person who is asked, with a hash of what is there, and the call is refused when that changes', async () => {
    const shown: string[] = [];
    let change = async (): Promise<void> => {};
    const person = definePlugin({
      name: 'person',
      apiVersion,
      apply: ({ hooks }) => {
        hooks.beforeExecute.tap('person', (draft) => ({
          ...draft,
          verdict: { effect: 'ask' as const, reasons: [{ kind: 'test', plugin: 'person', message: 'asks' }] } as never,
        }));
        hooks.approve.tapPromise('person', async ({ shownParameters, shownIdentity }) => {
          shown.push(JSON.stringify({ shownParameters, shownIdentity }));
          await change();
          return { approved: true, by: 'person', isClaim: true as const };
        });
      },
    });
    const { seen, folder } = await byPath({ a: 'the content' }, { plugins: [person()] });
    expect(await seen({ text_path: 'a' })).to.deep.equal({ text: 'the content' });
    expect(shown[0])
      .to.include(`"text_path":"${path.join(folder, 'a')}"`)
      .and.include('sha256')
      .and.not.include('the content');
    change = () => writeFile(path.join(folder, 'a'), 'another content');
    await rejection(seen({ text_path: 'a' }), 'APPROVAL_DENIED');
  });

  it('lets no secret out that is in the file, also where the tool is pure', async () => {
    const pure = { pure: true, annotations: { readOnlyHint: true, openWorldHint: false } };
    const secret = 'value-of-shop-token';
    const user = { ...pure, name: 'other', pure: undefined, secrets: ['SHOP_TOKEN'] };
    for (const tool of [pure, user]) {
      const { kernel } = await byPath(
        { a: `it is ${secret}` },
        { tool: { ...tool, name: 'echo' }, plugins: [secretsEnv({ env: { SHOP_TOKEN: secret } })] },
      );
      await kernel.resolveSecrets(['SHOP_TOKEN']);
      const { output } = await kernel.call({ tool: 'echo', parameters: { text_path: 'a' }, origin: 'model' });
      expect(JSON.stringify(output)).to.include('it is ').and.not.include(secret);
    }
  });

  it('gives what is there now, also where results are kept', async () => {
    const tool = { cache: { ttl_ms: 60_000 }, annotations: { readOnlyHint: true } };
    const { seen, folder } = await byPath({ a: 'old' }, { tool, plugins: [cacheResults()] });
    expect(await seen({ text_path: 'a' })).to.deep.equal({ text: 'old' });
    await writeFile(path.join(folder, 'b'), 'new');
    await rename(path.join(folder, 'b'), path.join(folder, 'a'));
    expect(await seen({ text_path: 'a' })).to.deep.equal({ text: 'new' });
  });
});

describe('a text that is streamed', () => {
  it('comes in pieces of a megabyte, none of which ends inside a character', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'a');
    // Three bytes a character: no chunk ends between two.
    await writeFile(file, '世'.repeat(3_000_000));
    let characters = 0;
    for await (const piece of readTextPieces(file, new AbortController().signal)) {
      expect(piece.length).to.be.within(1, 1_100_000);
      expect(piece).to.match(/^世+$/);
      characters += piece.length;
    }
    expect(characters).to.equal(3_000_000);
  });

  it('closes its file where nobody reads on, and opens none before somebody reads', async () => {
    const { kernel, folder } = await byPath(
      { a: 'x'.repeat(3_000_000) },
      {
        tool: {
          parameters: { text: { type: 'string', from: 'path', streamed: true, required: true } },
          execution: {
            type: 'function',
            handler: async ({ text }: { text: AsyncIterable<string> }) => {
              for await (const piece of text) return piece.length;
              return 0;
            },
          },
        },
      },
    );
    const open = (): number =>
      Number(execFileSync('sh', ['-c', `ls -l /proc/${process.pid}/fd | grep -c "${folder}" || true`], { encoding: 'utf8' }));
    expect(await kernel.execute('echo', { text_path: 'a' })).to.be.above(0);
    if (process.platform === 'linux') expect(open()).to.equal(0);
  });
});

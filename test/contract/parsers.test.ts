import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary.ts';
import { reachOf } from './parsers.ts';

interface Definition {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly execution?: { readonly type: string; readonly worker?: unknown } & Readonly<Record<string, unknown>>;
}

/** Packages that read no text of others as a language. */
const harmless: Readonly<Record<string, string>> = {
  uuid: 'makes texts',
  which: 'looks a name of a program up',
  '@vscode/ripgrep': 'tells where a program is',
  execa: 'starts programs',
  'ps-list': 'starts ps, which a child process may not, and splits its lines',
  'simple-statistics': 'counts with numbers',
  undici: 'takes Set-Cookie apart at its semicolons, of headers that have 16 KiB together at most',
};

/** Tools that reach a parser in the server or in a thread, and why that is no way to end or stop it. */
const reasons: Readonly<Record<string, string>> = {
  crypto_jwt_decode: 'jose takes a token apart at its dots; Base64 and JSON are read by native code in one pass',
  crypto_jwt_verify: 'as crypto_jwt_decode; its keys are secrets, which no child process gets',
  encode_html: 'entities writes references here, character by character',
  decode_html: 'texts of at most 1,000 characters; longer ones go to a child process',
  text_change_case: 'texts of at most 1,000 characters; longer ones go to a child process',
  text_count: 'texts of at most 1,000 characters; longer ones go to a child process',
  text_slugify: 'texts of at most 1,000 characters; longer ones go to a child process',
  git_add: 'normalizes names of files, which the system keeps short',
  git_show: 'two patterns of its own, for one line each',
  archive_zip_create: 'writes a file, which a child process may not: globs of at most 1,000 characters, in a thread with a time limit',
  archive_tar_create: 'as archive_zip_create',
  archive_zip_extract: 'writes files, which a child process may not: its own reader and zlib, which take a member in pieces and count them',
  archive_tar_extract: 'as archive_zip_extract',
  toolkit_create_tool: 'tells a person, and writes; levels are counted before the text is parsed, and patterns are held to their limits',
  toolkit_validate_tool: 'a child process parses; types and limits of that are imported here',
  web_graphql: 'a tokenizer of its own, with one pattern, without a stack',
  web_read_sitemap: 'zlib beside the event loop, with a limit of what comes out',
};

/** A text so short is parsed in well under a millisecond, and is no bomb for anything but a pattern. */
const shortText = 1000;

const definitions = (
  await Promise.all(
    (await glob('tools/core/*/*.yaml')).sort().map(async (file) => ({ file, ...(parse(await readFile(file, 'utf8')) as Definition) })),
  )
).filter(({ execution }) => execution !== undefined);

/** Finds what a tool reaches outside of a child process. */
async function parsersOf({ file, execution = { type: '' } }: (typeof definitions)[number]): Promise<ReadonlyMap<string, string>> {
  const folder = path.dirname(file);
  const reached = new Map<string, string>();
  const add = async (entry: string): Promise<readonly string[]> => {
    const { parsers, threads } = await reachOf(entry, folder);
    for (const [name, module] of parsers) if (!(name in harmless)) reached.set(name, module);
    return threads;
  };
  const modules = ['code', 'identify', 'parse'].flatMap((key) => {
    const [module = ''] = String(execution[key] ?? '').split('#');
    const isElsewhere = key === 'code' && execution.worker === 'process';
    return module.startsWith('.') && !isElsewhere ? [path.relative('.', path.resolve(folder, module))] : [];
  });
  for (const module of modules) for (const thread of await add(module)) await add(thread);
  return reached;
}

/** Texts of a caller, at any depth, that may be longer. */
function hasLongText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, enum: choices, maxLength = Number.POSITIVE_INFINITY, $ref } = schema as Record<string, unknown>;
  if (type === 'string' && choices === undefined) return Number(maxLength) > shortText;
  if (type === undefined && $ref === undefined && !Array.isArray(schema) && 'description' in schema) return true;
  return $ref !== undefined || Object.values(schema).some(hasLongText);
}

describe('what reads foreign texts', () => {
  for (const definition of definitions)
    it(`runs in a child process, or has a reason: ${definition.name}`, async () => {
      const { name, parameters = {} } = definition;
      const reached = await parsersOf(definition);
      const isShort = !Object.values(parameters).some(hasLongText) && !reached.has('a RegExp made by a call');
      if (reached.size === 0 || isShort) expect(reasons, `${name} needs no reason any more`).not.to.have.property(name);
      else expect(reasons, `${name} reaches ${[...reached].map((pair) => pair.join(' in ')).join(', ')}`).to.have.property(name);
    });

  it('is found behind imports of imports, and in what a thread is given, not in comments, types and what a child is given', async () => {
    const folder = await temporaryFolder({
      'entry.ts': "import type { A } from 'typed';\nimport { b } from './below.ts';\ninThread('./thread.ts#run');\nexport const a = b;\n",
      'below.ts': "// new RegExp(x)\nconst own = new RegExp('a');\nexport const b = async () => (await import('parser')).read(own);\n",
      'thread.ts': 'export const run = (text) => text.normalize();\n',
    });
    const entry = path.relative('.', path.join(folder, 'entry.ts'));
    const { parsers, threads } = await reachOf(entry, folder);
    expect([...parsers.keys()]).to.deep.equal(['parser']);
    expect([...(await reachOf(threads[0] ?? '', folder)).parsers.keys()]).to.deep.equal(['String.normalize']);
  });

  it('runs in a child process for most tools that once had a thread', () => {
    const children = definitions.filter(({ execution }) => execution?.worker === 'process');
    expect(children.length).to.be.at.least(37);
    expect(definitions.filter(({ execution }) => execution?.worker === true).map(({ name }) => name)).to.deep.equal([
      'system_list_processes',
    ]);
  });
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { formatProblem, type Kernel } from '../../../kernel/index.ts';
import { skillFiles } from '../../../plugins/skill-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { fileKernel, namesOf, problemsOf, toolYaml } from './tool-folder.ts';

const many = (count: number, text: (n: number) => string): string => Array.from({ length: count }, (_, n) => text(n)).join('');

const provider = 'provider: { name: shop }\n';
const collectionKey = 'has a map or list as a key. Expected a text';
const inside = 'has an alias inside what it repeats: *s within &s would never end';
const tooDeep = 'is nested too deeply: expected at most 64 levels';
const noJson = 'is no JSON value here';

interface BadText {
  readonly what: string;
  readonly text: string;
  /** `line:column` of the first problem. */
  readonly at: string;
  readonly says: string;
}

const refused: readonly BadText[] = [
  { what: 'a map as a key', text: `${toolYaml('bad')}? {a: b}\n: c\n`, at: '7:3', says: collectionKey },
  { what: 'a list as a key', text: `${toolYaml('bad')}? [a]\n: c\n`, at: '7:3', says: collectionKey },
  { what: 'a block map as a key', text: `${toolYaml('bad')}? a: b\n: c\n`, at: '7:3', says: collectionKey },
  { what: 'a key within a key', text: `${toolYaml('bad')}${'? '.repeat(60)}`, at: '7:3', says: collectionKey },
  { what: 'a placeholder without quotes as a key', text: `${toolYaml('bad')}tags: { {a}: b }\n`, at: '7:9', says: collectionKey },
  { what: 'an alias of a map as a key', text: `${toolYaml('bad')}tags: { a: &m {}, *m : b }\n`, at: '7:19', says: collectionKey },
  { what: 'a map as a key of a provider', text: `${provider}? {a: b}\n: c\n`, at: '2:3', says: collectionKey },
  { what: 'an alias inside its anchor', text: `${toolYaml('bad')}output_schema: &s {properties: {a: *s}}\n`, at: '7:36', says: inside },
  { what: 'an alias inside its anchor in a provider', text: `${provider}x-a: &s [*s]\n`, at: '2:10', says: inside },
  { what: 'keys within keys', text: '? '.repeat(100), at: '1:129', says: tooDeep },
  { what: 'open brackets', text: `${toolYaml('bad')}tags: ${'['.repeat(100_000)}`, at: '7:70', says: tooDeep },
  { what: 'lists within lists in one line', text: `${toolYaml('bad')}tags:\n  ${'- '.repeat(1000)}a\n`, at: '8:129', says: tooDeep },
  { what: 'maps within maps', text: `${toolYaml('bad')}x-a:\n${many(300, (n) => `${' '.repeat(n + 1)}a:\n`)}`, at: '71:65', says: tooDeep },
  {
    what: 'levels that aliases add up to',
    text: `${toolYaml('bad')}x-a:\n  a0: &a0 [x]\n${many(100, (n) => `  a${n + 1}: &a${n + 1} [*a${n}]\n`)}`,
    at: '70:14',
    says: tooDeep,
  },
  {
    what: 'too many anchors',
    text: `${toolYaml('bad')}x-a:\n${many(1001, (n) => `  - &a${n} x\n`)}`,
    at: '1008:5',
    says: 'has too many anchors and aliases',
  },
  {
    what: 'too many keys',
    text: `${toolYaml('bad')}${many(10_000, (n) => `x-${n}: a\n`)}`,
    at: '6667:7',
    says: 'has too many keys, values and punc',
  },
  { what: 'a number without an end', text: `${toolYaml('bad')}output_schema: { maximum: .inf }\n`, at: '7:27', says: noJson },
  { what: 'a number that is too large', text: `${toolYaml('bad')}timeout: 1e999\n`, at: '7:10', says: noJson },
  { what: 'a date of YAML 1.1', text: `%YAML 1.1\n---\n${toolYaml('bad')}x-a: 2001-01-01\n`, at: '9:6', says: noJson },
  { what: 'a set', text: `%YAML 1.1\n---\n${toolYaml('bad')}x-a: !!set { a, b }\n`, at: '9:14', says: 'has a set (!!set)' },
  { what: 'an ordered map', text: `%YAML 1.1\n---\n${toolYaml('bad')}x-a: !!omap [a: 1]\n`, at: '9:14', says: 'has a list of pairs' },
  { what: 'many mistakes', text: `a: ${'] '.repeat(40)}\n`, at: '1:4', says: 'is not valid YAML' },
];

describe('a text that no definition has', () => {
  for (const { what, text, at, says } of refused) {
    it(`is refused for ${what}, with its place, and the others load`, async () => {
      const folder = await temporaryFolder({ 'a.yaml': toolYaml('a'), 'bad.yaml': text, 'c.yaml': toolYaml('c') });
      const kernel = await fileKernel([folder]);
      expect(namesOf(kernel)).to.deep.equal(['a', 'c']);
      const [first, ...more] = problemsOf(kernel);
      expect(first)
        .to.match(new RegExp(`^error ${path.join(folder, 'bad.yaml')}:${at} `))
        .and.to.include(says);
      expect(more.length).to.be.below(20);
    });
  }

  // What only a directive brings cannot stand in front matter.
  for (const { what, text, says } of refused.filter((bad) => !bad.text.startsWith('%'))) {
    it(`is refused in a skill for ${what}, and the others load`, async () => {
      const front = `---\n${text.replace(toolYaml('bad'), 'name: bad\ndescription: d\n')}\n---\n# Bad\n`;
      const folder = await temporaryFolder({ 'good/SKILL.md': '---\nname: good\ndescription: d\n---\n', 'bad/SKILL.md': front });
      const kernel = await bareKernel({ plugins: [skillFiles({ skillPaths: [folder] })] });
      expect([...kernel.registry.skills.keys()]).to.deep.equal(['good']);
      const [first] = kernel.registry.problems;
      expect(first?.file).to.equal(path.join(folder, 'bad/SKILL.md'));
      expect(first?.message).to.include(says);
    });
  }

  it('is refused unread where the file is too long, with its length', async () => {
    const folder = await temporaryFolder({ 'a.yaml': toolYaml('a'), 'bad.yaml': `${toolYaml('bad')}${'#'.repeat(300_000)}\n` });
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['a']);
    expect(problemsOf(kernel)).to.deep.equal([
      `error ${path.join(folder, 'bad.yaml')} cannot be read: it is too long: expected at most 262144 bytes, received 300096. Split it, or move what is no definition elsewhere`,
    ]);
  });

  it('is refused where it is not UTF-8', async () => {
    const folder = await temporaryFolder({ 'a.yaml': toolYaml('a') });
    await writeFile(path.join(folder, 'bad.yaml'), Buffer.from(toolYaml('bad', 'tags: [é]\n'), 'latin1'));
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['a']);
    expect(problemsOf(kernel)[0]).to.include(path.join(folder, 'bad.yaml')).and.to.include('it is not UTF-8');
  });
});

describe('a text that a definition may have', () => {
  const accepted: readonly { readonly what: string; readonly text: string }[] = [
    { what: 'aliases', text: toolYaml('it', 'parameters:\n  a: &p { type: string }\n  b: *p\n') },
    { what: 'an alias as a key', text: toolYaml('it', 'x-a: { a: &k b, *k : c }\n') },
    { what: 'an anchor of which another one of the same name stands inside', text: toolYaml('it', 'x-a: &a [&a x, *a]\n') },
    { what: 'a text as an explicit key', text: toolYaml('it', '? risk\n: low\n') },
    { what: 'levels up to the limit', text: toolYaml('it', `x-a:\n${many(62, (n) => `${' '.repeat(n + 1)}a:\n`)}`) },
    {
      what: 'brackets in texts',
      text: toolYaml('it', `x-a: |\n  ${'[{'.repeat(500)}\nx-b: "${'[{'.repeat(500)}"\nx-c: a ${'[{'.repeat(500)}\n`),
    },
    { what: 'carriage returns alone as ends of lines', text: toolYaml('it', 'risk: low\n').replaceAll('\n', '\r') },
    { what: 'line ends of every kind', text: 'name: it\rdescription: d\r\nexecution:\r  type: command\n  command: echo\r' },
  ];
  for (const { what, text } of accepted) {
    it(`has ${what}`, async () => {
      const kernel = await fileKernel([await temporaryFolder({ 'it.yaml': text })]);
      expect(problemsOf(kernel)).to.deep.equal([]);
      expect(namesOf(kernel)).to.deep.equal(['it']);
    });
  }
});

describe('carriage returns alone', () => {
  it('are counted as ends of lines in what is wrong', async () => {
    const folder = await temporaryFolder({ 'bad.yaml': toolYaml('bad', 'risk: extreme\n').replaceAll('\n', '\r') });
    expect(problemsOf(await fileKernel([folder]))[0]).to.include('bad.yaml:7:1 risk: expected one of');
  });

  it('end the lines of a skill, whose text stays as it is', async () => {
    const text = '---\rname: it\rdescription: Says.\r---\r# It\r';
    const kernel = await bareKernel({ plugins: [skillFiles({ skillPaths: [await temporaryFolder({ 'it/SKILL.md': text })] })] });
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(kernel.registry.skills.get('it')?.text).to.equal(text);
  });
});

describe('300 broken files beside 10 good ones', () => {
  const texts = refused.map(({ text }) => text);
  const folderOf = (): Promise<string> =>
    temporaryFolder({
      ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`good/${n}.yaml`, toolYaml(`good_${n}`)])),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`bad/${n}.yaml`, texts[n % texts.length] as string])),
    });
  const namedIn = ({ registry }: Kernel): Set<string | undefined> =>
    new Set(registry.problems.filter(({ severity }) => severity === 'error').map(({ file }) => file && path.basename(file)));

  it('give 10 tools and are all named, and the log has one line for them all', async () => {
    const logger = memoryLogger();
    const kernel = await fileKernel([await folderOf()], undefined, logger);
    expect(namesOf(kernel)).to.have.length(10);
    expect(namedIn(kernel)).to.deep.equal(new Set(Array.from({ length: 300 }, (_, n) => `${n}.yaml`)));
    const errors = logger.records.filter(({ level }) => level === 'error');
    expect(errors).to.have.length(1);
    expect(errors[0]?.message).to.match(
      /^300 definition files are broken and not used: \S+\.yaml, \S+\.yaml, \S+\.yaml and 297 more\. "toolkit validate" says what/,
    );
    expect(logger.records.filter(({ level }) => level === 'debug').map(({ message }) => message)).to.include.members(
      kernel.registry.problems.map(formatProblem),
    );
  });
});

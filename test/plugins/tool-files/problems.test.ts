import path from 'node:path';
import { expect } from 'chai';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fileKernel, namesOf, problemsOf, toolYaml } from './tool-folder.ts';

interface BadFile {
  readonly what: string;
  readonly text: string;
  /** `line:column` and text of the first problem. */
  readonly at: string;
  readonly says: string;
}

const refused: readonly BadFile[] = [
  {
    what: 'YAML that does not parse',
    text: 'name: bad\ndescription: "open\n',
    at: '3:1',
    says: 'is not valid YAML: Missing closing "quote',
  },
  {
    what: 'a placeholder without quotes',
    text: 'name: bad\nexecution: { type: http, url: https://example.org/{id} }\n',
    at: '2:51',
    says: 'Put quotes around a text that holds a placeholder: "{name}"',
  },
  { what: 'a tab for indentation', text: 'name: bad\nexecution:\n\ttype: http\n', at: '3:1', says: 'is not valid YAML' },
  {
    what: 'a key written twice',
    text: `${toolYaml('bad')}risk: low\nrisk: high\n`,
    at: '8:1',
    says: 'is not valid YAML: Map keys must be unique',
  },
  {
    what: 'an alias without an anchor',
    text: `${toolYaml('bad')}tags: *nothing\n`,
    at: '7:7',
    says: 'is not valid YAML: Unresolved alias',
  },
  { what: 'aliases that multiply', text: bomb(), at: '7:40', says: 'has too many values: expected at most 10000' },
  { what: 'two documents', text: `${toolYaml('bad')}---\n${toolYaml('bad')}`, at: '7:1', says: 'is not valid YAML' },
  {
    what: 'a mistyped requires_approval',
    text: toolYaml('bad', 'require_approval: true\n'),
    at: '7:1',
    says: 'Did you mean "requires_approval"?',
  },
  { what: 'a mistyped execution', text: 'name: bad\nexecuton:\n  type: http\n', at: '2:1', says: 'Did you mean "execution"?' },
  { what: 'a mistyped key of the execution', text: toolYaml('bad').replace('args', 'arg'), at: '6:3', says: 'Did you mean "args"?' },
  {
    what: 'a mistyped key of a parameter',
    text: toolYaml('bad', 'parameters:\n  to:\n    type: string\n    requried: true\n'),
    at: '10:5',
    says: 'Did you mean "required"?',
  },
  { what: 'a missing description', text: toolYaml('bad').replace(/desc.*\n/, ''), at: '1:1', says: 'description: is required' },
  {
    what: 'a name with a space',
    text: toolYaml('bad').replace('name: bad', 'name: a bad one'),
    at: '1:1',
    says: 'name: expected to match pattern',
  },
  {
    what: 'an unknown type of a parameter',
    text: toolYaml('bad', 'parameters:\n  to:\n    type: text\n'),
    at: '9:5',
    says: 'parameters.to.type',
  },
  {
    what: 'an execution type that nobody runs',
    text: toolYaml('bad').replace('type: command', 'type: comand'),
    at: '4:3',
    says: 'no plugin executes type "comand". Did you mean "command"?',
  },
  {
    what: 'a placeholder that no parameter defines',
    text: toolYaml('bad').replace('[bad]', '["{word}"]'),
    at: '3:1',
    says: 'uses the placeholder {word}, which no parameter defines',
  },
  {
    what: 'a placeholder that is nearly a parameter',
    text: toolYaml('bad', 'parameters:\n  words: { type: string }\n').replace('[bad]', '["{word}"]'),
    at: '3:1',
    says: 'Did you mean "words"?',
  },
  {
    what: 'a risk that does not exist',
    text: toolYaml('bad', 'risk: extreme\n'),
    at: '7:1',
    says: 'risk: expected one of "low", "medium", "high", received string "extreme"',
  },
  { what: 'a list as its content', text: 'provider:\n  - shop\n', at: '1:1', says: 'provider: expected object' },
  {
    what: 'a mistyped provider',
    text: 'provder: { name: shop }\nbase_url: https://shop.example\n',
    at: '1:1',
    says: 'Did you mean "provider"?',
  },
  {
    what: 'a mistyped key of a provider',
    text: 'provider: { name: shop }\nbase_uri: https://shop.example\n',
    at: '2:1',
    says: 'Did you mean "base_url"?',
  },
];

describe('a definition file that is refused', () => {
  for (const { what, text, at, says } of refused) {
    it(`for ${what} is named with its place, and the others load`, async () => {
      const folder = await temporaryFolder({ 'a.yaml': toolYaml('a'), 'bad.yaml': text, 'c.yaml': toolYaml('c') });
      const kernel = await fileKernel([folder]);
      expect(namesOf(kernel)).to.deep.equal(['a', 'c']);
      const problems = problemsOf(kernel).filter((line) => line.startsWith('error'));
      const wanted = problems.find((line) => line.includes(says));
      expect(wanted, problems.join('\n')).to.be.a('string');
      expect(wanted).to.match(new RegExp(`^error ${path.join(folder, 'bad.yaml')}:${at === '' ? '\\d+:\\d+' : at} `));
    });
  }

  it('says why when its tool is called', async () => {
    const file = toolYaml('pay', 'require_approval: true\n');
    const folder = await temporaryFolder({ 'pay.yaml': file, 'other.yaml': toolYaml('other') });
    const kernel = await fileKernel([folder]);
    const error = await rejection(kernel.execute('pay'), 'TOOL_INVALID');
    expect(error.message).to.equal(
      `The definition of "pay" is broken, so there is no such tool: ${path.join(folder, 'pay.yaml')}:7:1 require_approval: is not known here. Did you mean "requires_approval"?`,
    );
    expect(error.details).to.include({ tool: 'pay', plugin: 'tool-files', file: path.join(folder, 'pay.yaml') });
  });

  it('says why when its tool is called, also where the YAML itself is broken', async () => {
    const folder = await temporaryFolder({ 'a-file.yaml': `${toolYaml('pay')}tags: [a\nrisk: {` });
    const kernel = await fileKernel([folder]);
    const error = await rejection(kernel.execute('pay'), 'TOOL_INVALID');
    expect(error.message).to.match(
      /^The definition of "pay" is broken, so there is no such tool: .*a-file\.yaml:\d+:\d+ is not valid YAML/,
    );
  });

  it('says that nobody runs its type when its tool is called', async () => {
    const folder = await temporaryFolder({ 'it.yaml': toolYaml('it').replace('type: command', 'type: telepathy') });
    const kernel = await fileKernel([folder]);
    const error = await rejection(kernel.execute('it'), 'EXECUTOR_NOT_FOUND');
    expect(error.message).to.include('Expected one of http, command, function');
  });

  it('reports all that is wrong with it at once', async () => {
    const text = 'name: bad name\nrisk: extreme\nexecution:\n  type: command\n';
    const kernel = await fileKernel([await temporaryFolder({ 'bad.yaml': text })]);
    const fields = kernel.registry.problems.map(({ path: field }) => field);
    expect(fields).to.have.members(['name', 'risk', 'description', 'execution.command']);
  });

  it('is told to the log as an error', async () => {
    const logger = memoryLogger();
    await fileKernel([await temporaryFolder({ 'bad.yaml': toolYaml('bad', 'risk: extreme\n') })], undefined, logger);
    const errors = logger.records.filter(({ level }) => level === 'error');
    expect(errors).to.have.length(1);
    expect(errors[0]?.message).to.include('bad.yaml:7:1 risk: expected one of');
    expect(errors[0]?.meta).to.deep.equal({ code: 'TOOL_INVALID' });
  });
});

/** Nine levels of nine aliases each: 387 million nodes when they are expanded. */
function bomb(): string {
  const level = (n: number): string =>
    `l${n}: &l${n} [${Array(9)
      .fill(`*l${n - 1}`)
      .join(', ')}]\n`;
  return `name: bad\ndescription: Grows.\nl0: &l0 [1]\n${Array.from({ length: 9 }, (_, n) => level(n + 1)).join('')}`;
}

import { expect } from 'chai';
import type { ToolGroup, Variable } from '../../../../../../plugins/mcp/commands/setup/scan.ts';
import { askValues } from '../../../../../../plugins/mcp/commands/setup/secrets/ask-values.ts';
import type { Prompts } from '../../../../../../plugins/shared/terminal/prompts.ts';

const variable = (name: string, more: Partial<Variable> = {}): Variable => ({
  name,
  isRequired: true,
  isSecret: true,
  alternatives: [],
  ...more,
});

const group = (...variables: readonly Variable[]): ToolGroup => ({ name: 'shop', tools: ['shop_list'], scopes: [], variables });

/** A person who gives these answers, by the first word of the question; `yes` and `no` to what is confirmed. */
function person(answers: Readonly<Record<string, string>>): { ask: Prompts; asked: string[] } {
  const asked: string[] = [];
  const answer = (kind: string, question: string): string => {
    const [word = ''] = question.split(/[ :]/);
    asked.push(`${kind} ${word}`);
    return answers[word] ?? '';
  };
  const ask = {
    text: async (question: string) => answer('text', question),
    hidden: async (question: string) => answer('hidden', question),
    confirm: async (question: string) => answer('confirm', question) !== 'no',
  } as Partial<Prompts> as Prompts;
  return { ask, asked };
}

interface Case {
  readonly title: string;
  readonly variables: readonly Variable[];
  readonly answers?: Readonly<Record<string, string>>;
  readonly transport?: 'stdio' | 'http';
  readonly asked: readonly string[];
  readonly values: Readonly<Record<string, string>>;
}

const either = [
  variable('ACCOUNT_TOKEN', { alternatives: ['API_KEY'] }),
  variable('API_KEY', { isRequired: false }),
  variable('REGION', { alternatives: ['API_KEY'], isSecret: false }),
];

const cases: Case[] = [
  { title: 'nothing where nothing is missing', variables: [variable('A', { source: 'dotenv' })], asked: [], values: {} },
  { title: 'nothing that is optional', variables: [variable('A', { isRequired: false })], asked: [], values: {} },
  {
    title: 'no value of a person who does not want to',
    variables: [variable('A')],
    answers: { Missing: 'no', A: 'a' },
    asked: ['confirm Missing'],
    values: {},
  },
  {
    title: 'secrets hidden and other values open',
    variables: [variable('A'), variable('B', { isSecret: false })],
    answers: { A: ' a ', B: 'b' },
    asked: ['confirm Missing', 'hidden A', 'text B'],
    values: { A: 'a', B: 'b' },
  },
  {
    title: 'nothing that an answer before it makes superfluous',
    variables: either,
    answers: { API_KEY: 'k' },
    asked: ['confirm Missing', 'hidden API_KEY'],
    values: { API_KEY: 'k' },
  },
  {
    title: 'each of two where the one that holds both is left out',
    variables: either,
    answers: { ACCOUNT_TOKEN: 't', REGION: 'eu' },
    asked: ['confirm Missing', 'hidden API_KEY', 'hidden ACCOUNT_TOKEN', 'text REGION'],
    values: { ACCOUNT_TOKEN: 't', REGION: 'eu' },
  },
  {
    title: 'whether to copy what only the shell has',
    variables: [variable('OF_SHELL', { source: 'env' })],
    asked: ['confirm A'],
    values: { OF_SHELL: 'of the program' },
  },
  {
    title: 'not to copy it for a server that a person starts from the shell',
    variables: [variable('OF_SHELL', { source: 'env' })],
    transport: 'http',
    asked: [],
    values: {},
  },
];

describe('the questions for what is missing', () => {
  const env = { OF_SHELL: 'of any program', TOOLKIT_OF_SHELL: 'of the program' };
  for (const { title, variables, answers = {}, transport = 'stdio', asked, values } of cases) {
    it(`ask ${title}`, async () => {
      const { ask, asked: questions } = person(answers);
      const given = await askValues(ask, { groups: [group(...variables)], transport, file: '/srv/shop/.env', env });
      expect(questions).to.deep.equal(asked);
      expect(Object.fromEntries(given)).to.deep.equal(values);
    });
  }
});

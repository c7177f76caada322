import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { type CallClient, createKernel, type Kernel } from '../../kernel/index.ts';
import { approvalGate } from '../../plugins/approval-gate/index.ts';
import { confinePaths } from '../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../plugins/credentials-placeholder/index.ts';
import { executorFunction } from '../../plugins/executor-function/index.ts';
import { guardOutbound } from '../../plugins/guard-outbound/index.ts';
import { outputBudget } from '../../plugins/output-budget/index.ts';
import { secretsEnv } from '../../plugins/secrets-env/index.ts';
import { toolFiles } from '../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../plugins/validate-output/index.ts';
import { json, loopback } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { foldersForFile, temporaryFolder } from '../support/temporary.ts';
import { bareKernel } from '../support/test-kernel.ts';
import { filesOf, readGuide } from './guide.ts';

const guide = await readGuide('plugins/toolkit/FUNCTION-TOOLS.md');

const logger = memoryLogger();
let kernel: Kernel;
let folder = '';

const cases = [
  { tool: 'text_count_words', parameters: { text: 'one two' }, output: { words: 2 } },
  { tool: 'price_add_tax', parameters: { net: 100 }, output: { gross: 119 } },
  { tool: 'text_reverse', parameters: { text: 'abc' }, output: { text: 'cba' } },
  { tool: 'number_sum_primes', parameters: { below: 10 }, output: { sum: 17 } },
  { tool: 'notes_first_line', parameters: { file: 'notes.txt' }, output: { line: 'first' } },
  { tool: 'door_open', parameters: {}, output: { opened: true, session: '[secret DOOR_SESSION]' } },
  { tool: 'order_get', parameters: { id: 'A-7' }, output: { items: 2 } },
  { tool: 'order_describe', parameters: { id: 'A-7' }, output: 'A-7 has 2 items.' },
  { tool: 'dot_draw', parameters: {}, output: { width: 1 } },
  { tool: 'stock_count', parameters: { article: 'a1' }, output: { pieces: 3 } },
  { tool: 'number_list', parameters: { to: 3 }, output: { numbers: [1, 2, 3] } },
];

describe('the page about function tools', () => {
  before(async () => {
    const cwd = await foldersForFile(() => temporaryFolder({ ...filesOf(guide), 'notes.txt': 'first\nsecond\n' }));
    folder = path.join(cwd, 'tools');
    const plugins = [
      executorFunction(),
      toolFiles({ toolPaths: [folder] }),
      secretsEnv({ env: { DOOR_KEY: 'key-of-the-door' } }),
      credentialsPlaceholder(),
      confinePaths({ roots: [cwd] }),
      approvalGate({ mode: 'elicit' }),
      guardOutbound({ allowHosts: ['127.0.0.1'] }),
      validateOutput(),
    ];
    kernel = await createKernel({ plugins, cwd, logger });
  });

  after(() => kernel.close());

  it('has definitions that load', async () => {
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(kernel.registry.tools.size).to.equal(guide.filter(({ file }) => file?.endsWith('.yaml')).length);
  });

  it('runs each of its samples', async () => {
    for (const { tool, parameters, output } of cases) expect((await kernel.call({ tool, parameters })).output, tool).to.deep.equal(output);
    const others = ['page_fetch_title', 'desk_choose', 'pool_use', 'report_send'];
    expect([...kernel.registry.tools.keys()].toSorted()).to.deep.equal([...cases.map(({ tool }) => tool), ...others].toSorted());
  });

  it('has a text without words refused', async () => {
    await rejection(kernel.call({ tool: 'text_count_words', parameters: { text: ' ' } }), 'INVALID_PARAMETERS');
  });

  it('reads a page, and says that one is missing', async () => {
    const { url } = await loopback(({ url: asked }, response) =>
      asked === '/' ? response.end('<title>Shop</title>') : json(response, {}, 404),
    );
    expect((await kernel.call({ tool: 'page_fetch_title', parameters: { url: `${url}/` } })).output).to.deep.equal({ title: 'Shop' });
    await rejection(kernel.call({ tool: 'page_fetch_title', parameters: { url: `${url}/none` } }), 'NOT_FOUND');
  });

  it('has a list that ends where a model gets no more, and says where it goes on', async () => {
    const plugins = [executorFunction(), toolFiles({ toolPaths: [folder] }), outputBudget({ maxCharacters: 1000 })];
    const small = await bareKernel({ plugins });
    const { output } = await small.call({ tool: 'number_list', parameters: { to: 10_000 }, origin: 'model' });
    const { numbers, next } = output as { numbers: number[]; next: number };
    expect(next)
      .to.equal(numbers.length + 1)
      .and.be.within(100, 1000);
    expect(JSON.stringify(output).length).to.be.at.most(1000);
  });

  it('logs from Python', async () => {
    await kernel.call({ tool: 'text_reverse', parameters: { text: 'abc' } });
    expect(logger.records).to.deep.include({ level: 'info', message: 'reversing', meta: { length: 3 } });
  });

  it('shows an image', async () => {
    const { content } = await kernel.call({ tool: 'dot_draw' });
    expect(content?.[0]).to.include({ type: 'image', mimeType: 'image/png' });
  });

  it('asks the person, and fails where nobody can be asked', async () => {
    const client: CallClient = { elicit: async () => ({ action: 'accept', content: { desk: 'window' } }) };
    expect((await kernel.call({ tool: 'desk_choose', client })).output).to.deep.equal({ desk: 'window' });
    await rejection(kernel.call({ tool: 'desk_choose' }), 'EXECUTION_FAILED');
  });

  it('keeps a connection from call to call', async () => {
    expect((await kernel.call({ tool: 'pool_use' })).output).to.deep.equal({ uses: 1 });
    expect((await kernel.call({ tool: 'pool_use' })).output).to.deep.equal({ uses: 2 });
  });

  it('shows the destination of a call that needs approval', async () => {
    const questions: string[] = [];
    const client: CallClient = {
      elicit: async ({ message }) => {
        questions.push(message);
        return { action: 'accept', content: { approve: true } };
      },
    };
    const { output } = await kernel.call({ tool: 'report_send', parameters: { team: 'sales' }, origin: 'model', client });
    expect(output).to.deep.equal({ sent: 'https://reports.example.com/sales' });
    expect(questions[0]).to.include('https://reports.example.com/sales');
  });

  it('names every member of the context', async () => {
    const source = await readFile('plugins/executor-function/execution.ts', 'utf8');
    const [, members = ''] = /export interface FunctionContext \{([\s\S]*?)\n\}/.exec(source) ?? [];
    const names = [...members.matchAll(/^ {2}(?:readonly )?(\w+)[?:(]/gm)].map(([, name = '']) => name);
    const page = await readFile('plugins/toolkit/FUNCTION-TOOLS.md', 'utf8');
    const [, table = ''] = /## What is in `context`\?([\s\S]*?)\n## /.exec(page) ?? [];
    expect(names.length).to.be.greaterThan(15);
    expect(names.filter((name) => !new RegExp(`\`${name}\\b`).test(table))).to.deep.equal([]);
  });

  it('names every member of the context in Python', async () => {
    const source = await readFile('plugins/executor-function/worker.py', 'utf8');
    const [, members = ''] = /class Context:([\s\S]*?)\n\n\nclass /.exec(source) ?? [];
    const names = [...members.matchAll(/self\.([a-z]\w*) =|def ([a-z]\w*)\(/g)].map(([, member, method]) => member ?? method ?? '');
    const page = await readFile('plugins/toolkit/FUNCTION-TOOLS.md', 'utf8');
    expect(names.length).to.be.greaterThan(6);
    expect(names.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).to.deep.equal([]);
  });
});

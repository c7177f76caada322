import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { CallsPage } from '../../../plugins/console/wire/calls.ts';
import type { SourcesPage } from '../../../plugins/console/wire/sources.ts';
import type { ProblemsPage, SecretRow } from '../../../plugins/console/wire/state.ts';
import type { ToolRow } from '../../../plugins/console/wire/tools.ts';
import { builtPage } from '../../plugins/console/page/built-page.ts';
import { demoPages, madeCall } from '../../plugins/console/page/demo-pages.ts';
import { demoRecords } from '../../plugins/console/page/demo-records.ts';
import { type PageServer, startPageServer } from '../../plugins/console/page/page-server.ts';
import { madeRecord, PageWorld } from '../../plugins/console/page/page-world.ts';
import { until } from '../../support/until.ts';
import { type OwnBrowser, startBrowser } from './browser.ts';

type Answers = Record<string, unknown>;

/** Answers of a server that has nothing yet. */
const empty: Answers = {
  calls: { running: [], ended: [], from: 'process' } satisfies CallsPage,
  tools: [],
  sources: { sources: [], changes: [], withheldTools: [] } satisfies SourcesPage,
  state: { status: {}, gauges: [] },
  accounts: { accounts: [], how: 'Connect one with: toolkit accounts connect <provider>' },
  secrets: [],
  problems: { problems: [], findings: [] } satisfies ProblemsPage,
};

/** Answers with 1,000 rows on each page. */
function many(): Answers {
  const rows = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: 1000 }, (_, index) => make(index));
  const name = (index: number): string => `provider_does_thing_${index}`;
  return {
    ...demoPages(),
    calls: { running: [], ended: rows((index) => madeCall(index, { tool: name(index % 20) })), from: 'process' } satisfies CallsPage,
    tools: rows((index): ToolRow => ({ name: name(index), description: 'Does a thing', risk: 'low', requiresApproval: false, from: 'x' })),
    secrets: rows((index): SecretRow => ({ name: `SECRET_${index}`, tools: [name(index)] })),
    problems: {
      problems: rows((index) => ({ severity: 'error', code: 'X', message: `Problem ${index}.` })),
      findings: [],
    } satisfies ProblemsPage,
    accounts: {
      how: 'See the documentation.',
      accounts: rows((index) => ({ provider: 'mail', account: `a${index}@example.com`, owner: 'ann', state: 'valid', scopes: [] })),
    },
    sources: {
      changes: [],
      withheldTools: [],
      sources: rows((index) => ({ name: `source_${index}`, plugin: 'upstreams', state: 'ready', tools: 3, withheld: [], reported: [] })),
    } satisfies SourcesPage,
  };
}

const pages = ['calls', 'tools', 'sources', 'state', 'accounts', 'secrets', 'problems'];

describe('the pages beside the inbox in a browser', () => {
  let assets: string;
  let own: OwnBrowser;
  let browser: Browser;
  let axe: string;
  let answers: Answers;
  let world: PageWorld;
  let server: PageServer;
  let page: Page;
  const failures: string[] = [];

  before(async () => {
    assets = await builtPage();
    own = await startBrowser();
    browser = own.browser;
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  after(() => own?.close());

  const open = async (
    hash: string,
    given: Answers = { ...demoPages() },
    width = 1280,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<void> => {
    answers = given;
    world = new PageWorld(demoRecords(), answers);
    server = await startPageServer(world, assets);
    page = await browser.newPage({ viewport: { width, height: width === 360 ? 640 : 800 }, colorScheme });
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) failures.push(message.text());
    });
    await page.goto(`${server.address}/console#/${hash}`);
  };
  afterEach(async () => {
    await page.close();
    await server.stop();
    expect(failures.splice(0)).to.deep.equal([]);
  });
  const go = async (hash: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${hash}`)}`);
    await page.locator('h1').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };
  const violations = async (): Promise<readonly string[]> => {
    await page.evaluate(axe);
    const result = (await page.evaluate('axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] })')) as {
      readonly violations: readonly {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
      }[];
    };
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 2).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  };
  const overflow = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth');
  const details = ['tools/shop_create_order', `calls/${madeCall(2).callId}`, 'calls/call-running-2', 'calls/unknown', 'tools/unknown'];

  const worlds = { 'with nothing': () => empty, 'with the data of a day': demoPages, 'with 1,000 rows': many } as const;
  for (const [name, given] of Object.entries(worlds))
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const)
      it(`have nothing that axe finds and fit ${name}, ${colorScheme}, ${width} px wide`, async () => {
        await open('calls', given(), width, colorScheme);
        for (const hash of given === demoPages ? [...pages, ...details] : pages) {
          await go(hash);
          expect(await violations(), hash).to.deep.equal([]);
          expect(await overflow(), hash).to.be.at.most(0);
        }
      });

  it('say what failed, and read again on demand', async () => {
    const { tools, ...others } = demoPages();
    await open('tools', others);
    await page.getByRole('alert').waitFor();
    answers['tools'] = tools;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.row-link', { hasText: 'shop_create_order' }).waitFor();
  });

  it('show a call that begins, its stage, and its end', async () => {
    await open('calls', { ...empty });
    await page.locator('.empty').waitFor();
    const now = Date.now();
    const running = { ...madeCall(1), stages: [{ stage: 'approval', beganAt: now }], startedAt: now };
    answers['calls'] = { running: [running], ended: [], from: 'process' };
    server.emit('calls');
    await page.locator('table[aria-label="Running calls"] tr', { hasText: 'waits for approval' }).waitFor();
    answers['calls'] = { running: [], ended: [madeCall(1, { outcome: 'TIMEOUT' })], from: 'process' };
    server.emit('calls');
    await page.locator('table[aria-label="Ended calls"] tr', { hasText: 'TIMEOUT' }).waitFor();
    expect(await page.locator('table[aria-label="Running calls"]').count()).to.equal(0);
  });

  for (const width of [1280, 360])
    it(`fit with names of 200 characters, ${width} px wide`, async () => {
      const name = 'a_long_name_'.repeat(20).slice(0, 200);
      const call = madeCall(0, { tool: name, caller: name });
      const [tool = expect.fail()] = Object.values(demoPages()).filter((value) => (value as ToolRow).name === 'shop_create_order');
      const given = {
        ...demoPages(),
        calls: { running: [], ended: [call], from: 'process' },
        [`calls/${call.callId}`]: { ...call, parameters: { [name]: name } },
        [`tools/${name}`]: { ...(tool as ToolRow), name, provider: name, from: name },
      };
      await open('calls', given, width);
      const record = madeRecord(90, { tool: name, caller: name });
      world.records.set(record.id, record);
      for (const hash of ['calls', `calls/${call.callId}`, `tools/${name}`, `inbox/${record.id}`]) {
        await go(hash);
        await page.getByText(name).first().waitFor({ state: 'attached' });
        expect(await overflow(), hash).to.be.at.most(0);
      }
    });

  it('find a call by its trace id, open it with its stages and its approval, and lead back from there', async () => {
    await open('calls');
    await page.locator('.row-link').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(madeCall(1).traceId ?? '');
    await page.getByText('1 call shown').waitFor();
    await page.locator('table[aria-label="Ended calls"] .row-link').click();
    await page.locator('.stages li', { hasText: 'Approval' }).waitFor();
    await page.getByRole('button', { name: 'Copy the trace id' }).waitFor();
    await page.getByRole('link', { name: 'Open the approval' }).click();
    await page.waitForURL(/#\/inbox\/ap-0003$/);
    await page.getByRole('link', { name: 'The call after the decision' }).click();
    await page.waitForURL((url) => url.hash === `#/calls/${madeCall(1).callId}`);
  });

  it('call a tool from its form, filled by an example and changed', async () => {
    await open('tools/shop_create_order');
    await page.getByRole('button', { name: 'One item, by invoice' }).click();
    await page.getByLabel('count').fill('100');
    await page.getByRole('button', { name: 'Call as a model' }).click();
    await page.getByText('Expected at most 99.').waitFor();
    expect(world.posted).to.deep.equal([]);
    await page.getByLabel('count').fill('3');
    await page.getByLabel('customer').fill('9007199254740993');
    await page.getByRole('button', { name: 'Call as a model' }).click();
    await page.getByRole('region', { name: 'result as JSON', exact: true }).waitFor();
    const parameters = {
      customer: '9007199254740993',
      items: [{ sku: 'AB-12', count: 3 }],
      payment: { type: 'invoice', email: 'ann@example.com' },
    };
    expect(world.posted).to.deep.equal([{ path: 'tools/shop_create_order/call', body: { parameters, as: 'model' } }]);
  });

  it('keep what was typed when the form becomes JSON and back', async () => {
    await open('tools/shop_create_order');
    await page.getByLabel('customer').fill('12a');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const text = page.getByLabel('Parameters as JSON');
    expect(await text.inputValue()).to.contain('"customer": "12a"');
    await text.fill('{"customer": "12a", "note": null, "more": [1]}');
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    expect(await page.getByLabel('customer').inputValue()).to.equal('12a');
    expect(await page.getByLabel('Further members').inputValue()).to.contain('"more"');
    expect(await page.getByLabel('note: null').isChecked()).to.equal(true);
  });

  it('ask once more before an operator runs a tool with a risk, and link the approval of a model', async () => {
    await open('tools/shop_refund_order');
    await page.getByRole('button', { name: 'Example 1' }).click();
    await page.getByText('As operator', { exact: true }).click();
    await page.getByRole('button', { name: 'Call as operator' }).click();
    await page.getByRole('button', { name: 'Run it now' }).waitFor();
    expect(world.posted).to.deep.equal([]);
    await page.getByText('As a model', { exact: true }).click();
    await page.getByRole('button', { name: 'Call as a model' }).click();
    await page.getByRole('link', { name: 'Open the waiting approval' }).click();
    await page.waitForURL(/#\/inbox\/ap-0001$/);
  });

  it('make an approved call of this person again, with its parameters in the form', async () => {
    await open('calls');
    const shown = { description: 'Pays back.', parameters: { order: 99, amount: 12.5 }, identity: {} };
    const mine = { tool: 'shop_refund_order', caller: 'console:operator', status: 'approved', shown } as const;
    for (const record of [madeRecord(91, mine), madeRecord(92, { ...mine, caller: 'console:ann' })]) world.records.set(record.id, record);
    await go('inbox/ap-0092?status=all');
    await page.locator('.approval .callout', { hasText: 'It has not run yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Call it again' }).count()).to.equal(0);
    await go('inbox/ap-0091?status=all');
    await page.getByRole('link', { name: 'Call it again' }).click();
    await until(async () => ((await page.locator('[inputmode=decimal]').first().inputValue()) === '12.5' ? true : undefined));
    expect(await page.title()).to.include('shop_refund_order · Tools');
    await page.getByRole('button', { name: 'Call as a model' }).click();
    await page.locator('.result').waitFor();
    expect(world.posted.at(-1)?.body).to.deep.equal({ parameters: shown.parameters, as: 'model' });
  });

  it('accept a changed tool of a source in two steps, with the digest that was shown', async () => {
    await open('sources');
    await page.locator('.difference .removed', { hasText: 'maximum: 50' }).first().waitFor();
    await page.getByRole('button', { name: 'Accept crm_search_customers' }).click();
    const accept = page.getByRole('button', { name: 'Accept', exact: true });
    expect(await accept.isDisabled()).to.equal(true);
    await page.getByLabel('I have read this').check();
    await accept.click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    const { changes } = answers['sources'] as SourcesPage;
    const [name, digest] = [changes[0]?.name, changes[0]?.digest];
    expect(world.posted).to.deep.equal([{ path: 'sources/crm/accept', body: { changes: [{ name, digest }], acceptFindings: [name] } }]);
  });

  it('show texts of tools as text, with hidden characters', async () => {
    const evil = '<img src=x onerror=alert(1)>\u202e';
    const tool = { ...(demoPages()['tools/git_status'] as object), description: evil, examples: [{ parameters: {}, description: evil }] };
    await open('tools/git_status', { ...demoPages(), 'tools/git_status': tool });
    await page.locator('.description', { hasText: '<img src=x onerror=alert(1)>\\u202e' }).waitFor();
    expect(await page.locator('.main img').count()).to.equal(0);
  });
});

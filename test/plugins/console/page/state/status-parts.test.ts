import { expect } from 'chai';
import { accountWords } from '../../../../../plugins/console/page/state/account-words.ts';
import { statusParts } from '../../../../../plugins/console/page/state/status-parts.ts';
import { memberTitle } from '../../../../../plugins/console/page/state/status-words.ts';

describe('The parts of the state page', () => {
  const pool = { running: 0, idle: 0, waiting: 0, max: 4, callers: {} };

  it('come in the order of the page, those of other plugins last, by their names', () => {
    const parts = statusParts({ ownQueue: {}, circuits: { notClosed: [] }, sessions: { open: 1 } });
    expect(parts.map(({ name, title, value }) => [name, title, value])).to.deep.equal([
      ['sessions', 'Sessions', { open: 1 }],
      ['circuits', 'Circuits', { notClosed: [] }],
      ['ownQueue', 'Own queue', {}],
    ]);
  });

  it('have the pools of workers in one table', () => {
    const [workers] = statusParts({ threads: pool, python: { ...pool, max: 8 } });
    expect(workers?.title).to.equal('Workers');
    expect(workers?.value).to.deep.equal([
      { name: 'Python processes', ...pool, max: 8 },
      { name: 'Threads', ...pool },
    ]);
  });

  it('have a row for each limit in use', () => {
    const queues = { 'provider crm': { running: { taken: 4, waiting: {} }, starts: { taken: 58, waiting: { ann: 2, bob: 1 } } } };
    expect(statusParts({ queues })[0]?.value).to.deep.equal([
      { limit: 'provider crm', of: 'calls at once', used: 4, waiting: 0 },
      { limit: 'provider crm', of: 'calls that begin', used: 58, waiting: 3 },
    ]);
  });

  it('show a status of another form as it is', () => {
    expect(statusParts({ queues: { limits: [1] } })[0]?.value).to.deep.equal({ limits: [1] });
  });

  it('have no workers where there are none', () => {
    expect(statusParts({ sessions: {} }).map(({ name }) => name)).to.deep.equal(['sessions']);
  });

  for (const [parent, name, title] of [
    ['callers', 'assistantOfAnn', 'assistantOfAnn'],
    ['upstreams', 'my-server', 'my-server'],
    ['sessions', 'inUse', 'Calls that run, by caller'],
    ['sessions', 'idleMs', 'Idle'],
  ] as const)
    it(`call the member "${name}" of "${parent}" "${title}"`, () => expect(memberTitle(parent, name)).to.equal(title));
});

describe('The state of an account', () => {
  for (const [state, login, words] of [
    ['29 min left', undefined, { word: 'ready', tone: 'ok', note: 'Its access has 29 min left' }],
    ['refreshed on use', undefined, { word: 'ready', tone: 'ok', note: 'Its access is renewed by the next call' }],
    ['no end told', undefined, { word: 'ready', tone: 'ok' }],
    ['expired', undefined, { word: 'expired', tone: 'warn', note: 'Log in again' }],
    ['needs login', 'toolkit auth login mail', { word: 'log in again', tone: 'warn' }],
    ['something new', undefined, { word: 'something new', tone: 'neutral' }],
  ] as const)
    it(`"${state}"${login === undefined ? '' : ' with a command'} is "${words.word}" to a person`, () => {
      expect(accountWords({ state, ...(login === undefined ? {} : { login }) })).to.deep.equal(words);
    });
});

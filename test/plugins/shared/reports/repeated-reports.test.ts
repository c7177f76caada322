import { expect } from 'chai';
import sinon from 'sinon';
import { RepeatedReports } from '../../../../plugins/shared/reports/repeated-reports.ts';
import { afterEach } from '../../../support/after-each.ts';

describe('reports of things that may repeat', () => {
  let clock: sinon.SinonFakeTimers | undefined;

  afterEach(() => clock?.restore());

  function reporting() {
    clock = sinon.useFakeTimers();
    const seen: string[] = [];
    const reports = new RepeatedReports<{ readonly key: string; readonly text: string }>({
      keyOf: ({ key }) => key,
      maxKeys: 2,
      toOther: ({ text }) => ({ key: 'others', text }),
      report: ({ key, text }, count) => void seen.push(`${key} ${text} ${count}`),
    });
    return { seen, reports, note: (key: string, text: string) => reports.note({ key, text }), minute: () => clock?.tick(60_000) };
  }

  it('name the first at once, and the latest with its number after a minute', () => {
    const { seen, note, minute } = reporting();
    for (const text of ['first', 'second', 'third']) note('a', text);
    expect(seen).to.deep.equal(['a first 1']);
    minute();
    expect(seen).to.deep.equal(['a first 1', 'a third 2']);
  });

  it('begin anew after a minute without one, and leave no timer', () => {
    const { seen, note, minute } = reporting();
    note('a', 'first');
    minute();
    expect(clock?.countTimers()).to.equal(0);
    note('a', 'later');
    expect(seen).to.deep.equal(['a first 1', 'a later 1']);
  });

  it('count keys beyond the limit together', () => {
    const { seen, note, reports } = reporting();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'a']) note(key, `of ${key}`);
    reports.close();
    expect(seen).to.deep.equal(['a of a 1', 'b of b 1', 'others of c 1', 'a of a 1', 'others of e 2']);
    expect(clock?.countTimers()).to.equal(0);
  });
});

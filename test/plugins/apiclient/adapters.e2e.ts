import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { drivers } from '../shared/model-tools/drivers.ts';
import { desk, type Plan, pets, specificationFile } from './stand-in.ts';

interface Step {
  readonly tool: string;
  readonly input: object;
  /** Text of the answer as the model reads it. */
  readonly says: string;
  /** Behaviour of the runner. */
  readonly plan?: Plan;
}

const steps: readonly Step[] = [
  { tool: 'list_collections', input: { workspace_path: '.' }, says: 'Pets' },
  { tool: 'get_collection_info', input: { collection_path: 'pets' }, says: 'List pets' },
  { tool: 'create_collection', input: { collection_path: 'shop', collection_name: 'Shop' }, says: 'Created the collection' },
  {
    tool: 'add_request',
    input: { collection_path: 'shop', request_name: 'Ask', method: 'GET', url: 'http://127.0.0.1:1/ask' },
    says: 'ask.bru',
  },
  {
    tool: 'import_openapi',
    input: { spec_source: 'spec.yaml', output_directory: 'out' },
    says: 'Imported 3 requests',
    plan: { import: 'bru' },
  },
  {
    tool: 'run_request',
    input: { collection_path: 'pets', request_name: 'Get pet' },
    says: 'res.status eq 200',
    plan: { report: '4.1-post' },
  },
  {
    tool: 'run_collection',
    input: { collection_path: 'pets' },
    says: '1 of 2 requests failed',
    plan: { report: '4.1-failing-assertion', exitCode: 1 },
  },
];

for (const [title, open] of Object.entries(drivers))
  it(`the seven tools of the API client run through the adapter for ${title}`, async () => {
    const { toolkit, plan } = await desk({ files: { ...pets(), 'spec.yaml': await readFile(specificationFile, 'utf8') } });
    const { listed, call } = open(toolkit, { providers: ['apiclient'] });
    expect(Object.keys(listed)).to.have.members([...steps.map(({ tool }) => `apiclient_${tool}`), 'toolkit_get_output']);
    for (const { tool, input, says, plan: next } of steps) {
      await plan(next ?? {});
      expect((await call(`apiclient_${tool}`, input)).text, tool).to.include(says);
    }
    const gone = await call('apiclient_run_request', { collection_path: 'pets', request_name: 'Gone' });
    expect(gone.text).to.include('Gone');
    if (!title.startsWith('OpenAI')) expect(gone.isError).to.equal(true);
  });

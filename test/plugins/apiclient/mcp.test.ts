import { expect } from 'chai';
import { connect, quiet } from '../mcp/support/client.ts';
import { desk, pets } from './stand-in.ts';

describe('the API client over MCP', () => {
  it('answers a failure as an error with the output that its schema promises', async () => {
    const { toolkit } = await desk({ files: pets() });
    const { call, client } = await connect(toolkit.kernel);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'apiclient_run_request')?.outputSchema?.required).to.include.members(['success', 'errors']);
    const answer = await call('apiclient_run_request', { collection_path: 'pets', request_name: 'Gone' });
    expect(answer.isError).to.equal(true);
    const output = answer.structuredContent as { success: boolean; errors: string[] };
    expect(output.success).to.equal(false);
    expect(output.errors).to.have.length(1);
    expect(output.errors[0]).to.include('has the name "Gone"');
    const [content] = answer.content;
    expect(content?.type === 'text' && content.text).to.include('has the name \\"Gone\\"');
  });

  it('answers a run with requests that failed as an answer, with progress on the way', async () => {
    const stdout = 'a-good (200 OK) - 4 ms\nAssertions\n   ✓ res.status: eq 200\nb-fail (404 Not Found) - 5 ms\n';
    const { toolkit } = await desk({ files: pets(), plan: { report: '4.1-failing-assertion', exitCode: 1, stdout } });
    const { call, client } = await connect(toolkit.kernel);
    const messages: unknown[] = [];
    const answer = await call(
      'apiclient_run_collection',
      { collection_path: 'pets' },
      { onprogress: ({ message }) => void messages.push(message) },
    );
    await quiet(client);
    expect(answer.structuredContent).to.deep.include({ success: false });
    expect(messages).to.deep.equal(['a-good (200 OK) - 4 ms', 'b-fail (404 Not Found) - 5 ms']);
  });
});

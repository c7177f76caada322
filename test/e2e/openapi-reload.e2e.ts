import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { loopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { stdioClient, until } from './program.ts';

const listChanged = 'notifications/tools/list_changed';

/** A document with this many operations, of which the first has a description of its own. */
function document(description: string, operations: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/things/${index}`,
      { get: { operationId: `get_${index}`, description: index === 0 ? description : 'Returns a thing.', responses: {} } },
    ]),
  );
  return JSON.stringify({ openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths });
}

describe('two documents at a running server', function () {
  this.timeout(600_000);

  it('lead to one change of the list for each change of one, and no call of the other fails', async () => {
    const service = await loopback((_request, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
    const source = (name: string): string =>
      `        ${name}: { document: ./${name}.json, server: '${service.url}', expose: all, include: { paths: ['*'] } }\n`;
    const cwd = await temporaryFolder({
      'one.json': document('first', 500),
      'two.json': document('first', 500),
      'toolkit.config.yaml': `plugins:\n  - toolkit/standard\n  - - toolkit/plugins/openapi\n    - sources:\n${source('one')}${source('two')}`,
    });
    const { client } = await stdioClient([], { cwd });
    let told = 0;
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === listChanged) told++;
    };
    const describedAs = async (name: string): Promise<string | undefined> => {
      const { tools } = await client.listTools();
      return tools.find((tool) => tool.name === name)?.description;
    };
    expect(await describedAs('one_get_0')).to.match(/first/);
    const failed: unknown[] = [];
    const calls: Promise<unknown>[] = [];
    for (const [index, text] of ['second', 'third'].entries()) {
      await writeFile(path.join(cwd, 'one.json'), document(text, 500));
      while (told <= index) {
        const call = client.callTool({ name: 'two_get_7', arguments: {} }).then((result) => result.isError === true && failed.push(result));
        calls.push(call);
        await call;
      }
      expect(await describedAs('one_get_0')).to.match(new RegExp(text));
    }
    await Promise.all(calls);
    await until(() => service.requests.length === calls.length);
    expect(failed).to.deep.equal([]);
    expect(told).to.equal(2);
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { afterEach } from '../../support/after-each.ts';
import { project } from '../project.ts';
import { type Ended, toolkitTest } from './toolkit-test.ts';

const password = 'pw-0123456789-live';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A store that speaks lines: `<password> GET <key>` is answered with a value, or with `ERR NO_KEY`. */
async function store(): Promise<{ readonly port: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      asked.push(line);
      const [given, , key] = line.split(' ');
      socket.end(key === 'pots' ? `12 by ${given}\n` : 'ERR NO_KEY\n');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: String((server.address() as AddressInfo).port), asked };
}

const code = `
import net from 'node:net';
const ask = ({ STORE_HOST, STORE_PORT, STORE_PASSWORD }, line) => new Promise((resolve, reject) => {
  let said = '';
  const socket = net.connect(Number(STORE_PORT), STORE_HOST, () => socket.write(STORE_PASSWORD + ' ' + line + '\\n'));
  socket.on('data', (data) => { said += data; }).on('error', reject);
  socket.on('end', () => {
    const [, error] = /^ERR (.*)/.exec(said) ?? [];
    if (error === undefined) resolve({ value: said.trim() });
    else reject(Object.assign(new Error('the store refused'), { code: error }));
  });
});
export const get = async ({ key }, context) => {
  try {
    return await context.exchange('store', { command: 'GET', key }, () => ask(context.secrets, 'GET ' + key));
  } catch (error) {
    if (error.code !== 'NO_KEY') throw error;
    return { value: null };
  }
};
`;

/** A plugin that has a person asked about every call, and answers. */
const asks = `
import { apiVersion, ask, definePlugin } from '@toolkit/core';
export default definePlugin({
  name: 'asks',
  apiVersion,
  apply({ hooks }) {
    hooks.beforeExecute.tap('asks', (draft) => ask(draft, { kind: 'asks', message: 'May it?' }));
    hooks.approve.tap('asks', () => ({ approved: true, by: 'nobody' }));
  },
});
`;

const places = [
  ['in this process', false],
  ['in a worker thread', true],
] as const;

describe('toolkit test and context.exchange', () => {
  for (const [place, worker] of places)
    describe(`of a function ${place}`, () => {
      const shop = async (more = '') => {
        const { port, asked } = await store();
        const cwd = await project({
          'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [./tools] }]\n',
          'tools/store/definition.yaml': `provider: { name: store, description: A store of values. }
parameter_mapping:
  - { parameter: STORE_HOST, env_pattern: STORE_HOST, required: true, secret: false }
  - { parameter: STORE_PORT, env_pattern: STORE_PORT, required: true, secret: false }
  - { parameter: STORE_PASSWORD, env_pattern: STORE_PASSWORD, required: true, secret: true }
`,
          'tools/store/store_get_value.yaml': `name: store_get_value
description: Looks up the value of a key in the store.
parameters: { key: { type: string, required: true, description: Its key. } }
execution: { type: function, code: ./get.mjs#get, worker: ${worker} }
secrets: [STORE_HOST, STORE_PORT, STORE_PASSWORD]
output_schema: { type: object, properties: { value: { type: [string, 'null'] } }, required: [value] }
examples:
  - { description: What is there, parameters: { key: pots } }
  - { description: What is not there, parameters: { key: cups } }
`,
          'tools/store/get.mjs': code.replace('  try {', `${more}\n  try {`),
        });
        const env = { STORE_HOST: '127.0.0.1', STORE_PORT: port, STORE_PASSWORD: password };
        const file = (name: string): string => path.join(cwd, 'tools/store', name);
        const edit = async (name: string, from: string, to: string): Promise<void> => {
          const text = await readFile(file(name), 'utf8');
          expect(text).to.include(from);
          await writeFile(file(name), text.replace(from, to));
        };
        const cassette = (): Promise<string> => readFile(file('store_get_value.cassette.json'), 'utf8');
        return { cwd, asked, edit, cassette, record: (): Promise<Ended> => toolkitTest(cwd, ['store_get_value', '--record'], env), port };
      };

      it('records answers and errors, and passes without the service', async () => {
        const { cwd, asked, record, cassette } = await shop();
        const recorded = await record();
        expect(recorded.code, recorded.stdout + recorded.stderr).to.equal(0);
        expect(asked).to.deep.equal([`${password} GET pots`, `${password} GET cups`]);
        const { examples } = JSON.parse(await cassette());
        expect(examples.map(({ exchanges }: { exchanges: unknown }) => exchanges)).to.deep.equal([
          [
            {
              kind: 'store',
              request: { command: 'GET', key: 'pots' },
              response: { answer: { value: '12 by [secret STORE_PASSWORD]' } },
            },
          ],
          [
            {
              kind: 'store',
              request: { command: 'GET', key: 'cups' },
              response: { error: { name: 'Error', message: 'the store refused', code: 'NO_KEY' } },
            },
          ],
        ]);
        const { code: passed, stdout } = await toolkitTest(cwd, []);
        expect(stdout).to.equal('✓ store_get_value  2 examples\n\n1 tool: 1 passed\n');
        expect(passed).to.equal(0);
        expect(asked).to.have.lengthOf(2);
      });

      it('writes no credential, also none that is open', async () => {
        const { record, cassette, port } = await shop();
        await record();
        const text = await cassette();
        for (const value of [password, '127.0.0.1', port]) expect(text).to.not.include(value);
        expect(JSON.parse(text).credentials).to.deep.equal({
          STORE_HOST: 'made-up-STORE_HOST',
          STORE_PORT: 'made-up-STORE_PORT',
          STORE_PASSWORD: 'made-up-STORE_PASSWORD',
        });
      });

      it('keeps open credentials as they are where a replay needs them', async () => {
        const { cwd, record, cassette, port } = await shop(
          "  if (!/^\\d+$/.test(context.secrets.STORE_PORT)) throw new Error('that is no port');",
        );
        expect(await record()).to.deep.include({ code: 0 });
        expect(JSON.parse(await cassette()).credentials).to.deep.equal({
          STORE_HOST: '127.0.0.1',
          STORE_PORT: port,
          STORE_PASSWORD: 'made-up-STORE_PASSWORD',
        });
        expect(await toolkitTest(cwd, [])).to.deep.include({ code: 0 });
      });

      it('does not depend on whether a person is asked, and what is looked up for that', async () => {
        const { cwd, record, edit, cassette, asked } = await shop();
        await edit('store_get_value.yaml', 'worker: ', 'identify: ./get.mjs#where, worker: ');
        await edit(
          'get.mjs',
          'export const get',
          "export const where = async (_, context) => (await get({ key: 'pots' }, context)).value;\nexport const get",
        );
        const config = path.join(cwd, 'toolkit.config.yaml');
        await writeFile(path.join(cwd, 'asks.mjs'), asks);
        await writeFile(config, `${await readFile(config, 'utf8')}  - ./asks.mjs\n`);
        const recorded = await record();
        expect(recorded.code, recorded.stdout + recorded.stderr).to.equal(0);
        expect(asked.filter((line) => line.endsWith(' pots'))).to.have.lengthOf.above(1);
        expect(JSON.parse(await cassette()).examples[0].exchanges).to.have.lengthOf(1);
        expect(await toolkitTest(cwd, [])).to.deep.include({ code: 0 });
        await writeFile(config, (await readFile(config, 'utf8')).replace('  - ./asks.mjs\n', ''));
        expect(await toolkitTest(cwd, [])).to.deep.include({ code: 0 });
      });

      it('shows another request as a diff, and ends with 1', async () => {
        const { cwd, record, edit } = await shop();
        await record();
        await edit('get.mjs', "command: 'GET', key", "command: 'READ', key: key.toUpperCase()");
        const { code: ended, stdout } = await toolkitTest(cwd, []);
        expect(ended).to.equal(1);
        expect(stdout).to.include('"What is there": its exchange "store" is not the recorded one\n');
        for (const line of ['-  "command": "GET",', '-  "key": "pots"', '+  "command": "READ",', '+  "key": "POTS"'])
          expect(stdout).to.include(`      ${line}\n`);
      });

      it('says what was not made, and what was not recorded', async () => {
        const { cwd, record, edit } = await shop();
        await record();
        await edit('get.mjs', "context.exchange('store'", "context.exchange('vault'");
        const { code: ended, stdout } = await toolkitTest(cwd, []);
        expect(ended).to.equal(1);
        expect(stdout).to.include('"What is there": asks for what was not recorded\n').and.to.include('+  "key": "pots"\n');
        expect(stdout).to.include('"What is there": the recorded exchange "store" was not made\n').and.to.include('-  "key": "pots"\n');
      });
    });
});

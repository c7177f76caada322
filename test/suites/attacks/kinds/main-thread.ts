import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { longestWait, mainThreadMs, median } from '../../../support/main-thread-time.ts';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer, ModelResult } from '../attack-server.ts';

const list = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => item(index));
const names = (count: number, prefix = 'n'): object => Object.fromEntries(list(count, (index) => [`${prefix}${index}`, index]));

/** Processor time of the main thread between a ping and its answer, as the median of so many rounds, in times that this machine takes to parse a message of 90,000 names. */
const mostParses = 6;
const rounds = 5;
const message = JSON.stringify(names(90_000));

interface Bomb {
  readonly id?: string;
  readonly subject: string;
  readonly attempt: string;
  readonly before: string;
  readonly tool: string;
  /** Made when it is called: some take megabytes. */
  readonly parameters?: () => object;
  /** The error code that it ends with; a result by default. */
  readonly code?: string;
}

const merged = (): object => ({ documents: [names(40_000, 'a'), names(40_000, 'b')] });
const marks = '\u0315\u0300'.repeat(300_000);

const bombs: readonly Bomb[] = [
  {
    id: 'A4',
    subject: 'encode_url_parse',
    attempt: 'stops the server with a host of 600,000 combining marks',
    before: 'no answer to anybody any more, and none to SIGTERM',
    tool: 'encode_url_parse',
    parameters: () => ({ url: `http://a${marks}.de/` }),
    code: 'INVALID_PARAMETERS',
  },
  {
    subject: 'text_normalize',
    attempt: 'holds up another client with 98,000 combining marks',
    before: '2,633 ms',
    tool: 'text_normalize',
    parameters: () => ({ text: `a${marks.slice(0, 98_000)}` }),
    code: 'INVALID_PARAMETERS',
  },
  {
    subject: 'encode_url',
    attempt: 'holds up another client with a host of 98,000 combining marks',
    before: '1,054 ms',
    tool: 'encode_url',
    parameters: () => ({ text: `http://a${marks.slice(0, 98_000)}.de/`, component: false }),
    code: 'INVALID_PARAMETERS',
  },
  {
    id: 'A6',
    subject: 'json_infer_schema',
    attempt: 'holds up another client with 75,000 names',
    before: '198 ms, and 273 ms on a loaded machine',
    tool: 'json_infer_schema',
    parameters: () => ({ samples: [names(75_000)] }),
    code: 'OUTPUT_TOO_LARGE',
  },
  {
    id: 'A6',
    subject: 'json_diff',
    attempt: 'holds up another client with 30,000 numbers',
    before: 'held: 75 ms',
    tool: 'json_diff',
    parameters: () => ({ left: list(30_000, (index) => index), right: list(30_000, (index) => -index - 1) }),
  },
  {
    id: 'A6',
    subject: 'json_merge',
    attempt: 'holds up another client with two objects of 40,000 names',
    before: '308 to 451 ms',
    tool: 'json_merge',
    parameters: merged,
  },
  {
    id: 'A6',
    subject: 'json_validate',
    attempt: 'holds up another client with an enum of 90,000',
    before: 'held: 44 ms',
    tool: 'json_validate',
    parameters: () => ({ data: { a: 'x' }, schema: { properties: { a: { enum: list(90_000, (index) => `v${index}`) } } } }),
    code: 'INVALID_PARAMETERS',
  },
  {
    id: 'A6',
    subject: 'text_count',
    attempt: 'holds up another client with 90,000 arguments that it does not take',
    before: 'held: 82 ms',
    tool: 'text_count',
    parameters: () => ({ text: 'a', ...names(90_000) }),
    code: 'INVALID_PARAMETERS',
  },
  {
    id: 'A6',
    subject: 'text_render_template',
    attempt: 'holds up another client with an output of 450 MB',
    before: 'held: the tool counts what it writes',
    tool: 'text_render_template',
    parameters: () => ({ template: '{{#a}}{{{x}}}{{/a}}', data: { a: list(4500, () => 1), x: 'y'.repeat(100_000) } }),
    code: 'OUTPUT_TOO_LARGE',
  },
  {
    subject: 'a function in a worker thread',
    attempt: 'holds up another client with an output of 450 MB',
    before: 'all of it came to the main thread, and was masked there: no answer within a minute',
    tool: 'flood_write_text',
    code: 'OUTPUT_TOO_LARGE',
  },
  {
    subject: 'a command',
    attempt: 'holds up another client with JSON of 400,000 names',
    before: 'all of it was parsed: 1,273 ms',
    tool: 'flood_print_names',
    code: 'OUTPUT_TOO_LARGE',
  },
  {
    subject: 'json_flatten',
    attempt: 'holds up another client with 90,000 names in an object',
    before: '389 ms',
    tool: 'json_flatten',
    parameters: () => ({ data: names(90_000) }),
  },
  {
    subject: 'json_format',
    attempt: 'holds up another client with 90,000 names under an argument that it does not take',
    before: '300 to 390 ms',
    tool: 'json_format',
    parameters: () => ({ data: names(90_000) }),
    code: 'INVALID_PARAMETERS',
  },
  {
    subject: 'toolkit_call_tool',
    attempt: 'holds up another client with a call of json_merge inside it',
    before: '480 to 526 ms',
    tool: 'toolkit_call_tool',
    parameters: () => ({ name: 'json_merge', arguments: merged() }),
  },
];

/** Both came from `fetch` of an http tool, to a host that an operator has named. */
const answers = {
  '/members': { names: 400_000, code: 'OUTPUT_TOO_LARGE' },
  '/names': { names: 90_000, code: undefined },
} as const;

const flood = (name: string, execution: string): string =>
  `name: flood_${name}\ndescription: Writes more than anybody reads.\nrisk: low\nparameters: {}\nexecution: ${execution}\n`;

const print = 'process.stdout.write(JSON.stringify(Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => ["n" + n, n]))));\n';

const files = {
  'my-tools/main-thread/flood_write_text.yaml': flood('write_text', '{ type: function, code: ./flood.mjs, worker: true }'),
  'my-tools/main-thread/flood.mjs': `export default () => 'x'.repeat(450_000_000);\n`,
  'my-tools/main-thread/flood_print_names.yaml': flood(
    'print_names',
    '{ type: command, command: node, args: [my-tools/main-thread/print.mjs], parse: json }',
  ),
  'my-tools/main-thread/print.mjs': print,
};

/** Processor time in which this machine parses the message, in milliseconds. */
async function parseMs(): Promise<number> {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const before = await mainThreadMs(process.pid);
    // No number: its length alone counts.
    JSON.parse(message);
    times.push((await mainThreadMs(process.pid)) - before);
  }
  return median(times);
}

/** A second client, where there can be one. */
function otherOf(server: AttackServer): Promise<Client> {
  return server.transport === 'HTTP' ? server.other() : Promise.resolve(server.client);
}

/** Calls it again and again beside the pings of another client, and expects that these wait for no more than some slices of its work. */
async function expectNoWait(server: AttackServer, subject: string, call: () => Promise<ModelResult>): Promise<void> {
  const other = await otherOf(server);
  const waits = [];
  for (let round = 0; round < rounds; round++) waits.push(await longestWait(server.pid, () => other.ping(), call));
  const processorMs = median(waits.map((wait) => wait.processorMs));
  const wallMs = median(waits.map((wait) => wait.wallMs));
  process.stdout.write(`        ${subject}: ${Math.round(processorMs)} ms of the main thread, ${Math.round(wallMs)} ms on the clock\n`);
  expect(processorMs / (await parseMs()), 'messages parsed in that time').to.be.at.most(mostParses);
}

/** The one mode of the gate for these attacks: a measurement does not depend on it, and takes five rounds. */
const modes = ['strict'] as const;

/** The one transport for attacks that were found by us: behind the message a transport changes nothing. */
const oneTransport = { transports: ['stdio'] } as const;

function attackOf({ id, subject, attempt, before, tool, parameters = () => ({}), code }: Bomb): Attack {
  return {
    ...(id === undefined ? oneTransport : { id }),
    subject,
    attempt,
    before,
    modes,
    async run(server) {
      const given = parameters();
      await expectNoWait(server, subject, async () => {
        const result = await server.call(tool, given);
        expect(result.code).to.equal(code);
        return result;
      });
    },
  };
}

function answerAttack(path: keyof typeof answers, more: Omit<Attack, 'modes' | 'run'>): Attack {
  return {
    ...more,
    modes,
    async run(server) {
      const body = names(answers[path].names);
      const { url } = await loopback((_request, response) => json(response, body));
      const own = await server.own({
        'my-tools/answers/definition.yaml': `provider: { name: answers, description: Answers. }\nbase_url: "${url}"\n`,
        'my-tools/answers/answers_get_all.yaml': `name: answers_get_all\ndescription: Gets all.\nparameters: {}\nexecution: { type: http, method: get, url: "${path}" }\n`,
      });
      await expectNoWait(own, more.subject, async () => {
        const result = await own.call('answers_get_all');
        expect(result.code, result.text.slice(0, 500)).to.equal(answers[path].code);
        return result;
      });
    },
  };
}

const attacks: readonly Attack[] = [
  ...bombs.map(attackOf),
  answerAttack('/members', {
    id: 'A6',
    subject: 'an answer over HTTP',
    attempt: 'holds up another client with 400,000 members',
    before: 'held: counted before it is parsed',
  }),
  answerAttack('/names', {
    ...oneTransport,
    subject: 'an answer over HTTP that is taken',
    attempt: 'holds up another client with 90,000 members',
    before: '309 to 474 ms',
  }),
];

export const mainThread: AttackKind = { rule: 'one call holds up no other client', files, attacks };

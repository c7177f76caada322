import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer, ModelResult } from '../attack-server.ts';

const folder = 'my-tools/oracle';

/** Secrets that a model might find by trying, each with a value of the same kind that is none. */
const guesses = {
  PIN_TOKEN: ['4821', '4822'],
  DOOR_KEY: ['zq7-x', 'zq8-x'],
  PHONE_TOKEN: ['482193550172', '482193550173'],
  WORD_TOKEN: ['correcthorse', 'correctmouse'],
} as const;

const short: readonly (keyof typeof guesses)[] = ['PIN_TOKEN', 'DOOR_KEY', 'PHONE_TOKEN'];
const all = Object.keys(guesses) as readonly (keyof typeof guesses)[];

const using = `name: oracle_uses
description: Uses the secrets.
execution: { type: function, code: ./uses.mjs#run }
secrets: [PIN_TOKEN, DOOR_KEY, PHONE_TOKEN, WORD_TOKEN]
risk: low
`;

type Ask = (server: AttackServer, guess: string) => Promise<ModelResult>;

/** Expects that what comes back of a guess is the same whether it is a secret or not. */
async function expectSame(server: AttackServer, names: readonly (keyof typeof guesses)[], ask: Ask): Promise<void> {
  for (const name of names) {
    const [secret, other] = guesses[name];
    const [hit, miss] = [await ask(server, secret), await ask(server, other)];
    // The same length, so that positions in it are the same.
    const shown = (result: ModelResult, guess: string): string =>
      result.text
        .replaceAll(guess, '<guess>')
        .replaceAll(guess.toUpperCase(), '<GUESS>')
        .replaceAll(Buffer.from(guess).toString('base64'), '<base64>')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>');
    expect(shown(hit, secret), name).to.equal(shown(miss, other));
    expect(hit.text, name).not.to.include('[secret');
    expect(shown(hit, secret), `${name}: what was asked comes back`).to.match(/<(guess|GUESS|base64)>/);
  }
}

const row = (subject: string, attempt: string, names: readonly (keyof typeof guesses)[], before: string, ask: Ask): Attack => ({
  subject,
  attempt,
  before,
  run: (server) => expectSame(server, names, ask),
});

const pure = (tool: string, attempt: string, parameters: (guess: string) => object, before = 'the hit came back masked'): Attack =>
  row(tool, attempt, all, before, (server, guess) => server.call(tool, parameters(guess)));

const pins = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0'));

const attacks: readonly Attack[] = [
  {
    id: 'A23',
    subject: 'text_sort_lines',
    attempt: 'sorts 10,000 PINs, one of which is a secret',
    before: 'the hit came back as [secret PIN_TOKEN]',
    async run(server) {
      const { text } = await server.call('text_sort_lines', { text: [...pins].reverse().join('\n') });
      expect(text).not.to.include('[secret');
      for (const pin of ['0000', '4820', '4821', '4822']) expect(text).to.include(pin);
    },
  },
  pure('text_split', 'splits a list of guesses', (guess) => ({ text: `a,${guess},b`, separator: ',' })),
  pure('text_change_case', 'writes a guess in capitals', (guess) => ({ text: guess, case: 'upper' })),
  pure('text_diff', 'compares a guess', (guess) => ({ left: 'a\n', right: `${guess}\n` })),
  pure('text_regex_match', 'finds a guess', (guess) => ({ text: `x ${guess}`, pattern: '\\S+$' })),
  pure('decode_base64', 'sends a guess encoded and has it decoded', (guess) => ({
    encoded: Buffer.from(`a ${guess} b`).toString('base64'),
  })),
  pure('json_query', 'picks a guess out of JSON', (guess) => ({ data: { a: [guess] }, query: '$.a[0]' })),
  pure('convert_yaml_to_json', 'reads a guess from YAML', (guess) => ({ text: `a: "${guess}"` })),
  pure('encode_url', 'has a guess encoded', (guess) => ({ text: `${guess} x` })),
  pure('encode_html', 'has a guess written for a page', (guess) => ({ text: `<${guess}>` })),
  row(
    'fs_write_file and fs_read_file',
    'writes guesses to a file and reads it',
    short,
    'the hit came back masked',
    async (server, guess) => {
      await server.callApproved('fs_write_file', { path: 'guesses.txt', content: `a ${guess}\n`, overwrite: true });
      return server.call('fs_read_file', { path: 'guesses.txt' });
    },
  ),
  row('INVALID_PARAMETERS', 'is refused by an error that quotes the guess', all, 'the hit came back masked', (server, guess) =>
    server.call('text_count', { text: 'a', [guess]: 1 }),
  ),
  row('fs_read_lines', 'asks for a file that is named like a guess', short, 'the hit came back masked', (server, guess) =>
    server.call('fs_read_lines', { path: `${guess}.txt` }),
  ),
  row('toolkit_call_tool', 'has another tool give the guess back', short, 'the hit came back masked', (server, guess) =>
    server.call('toolkit_call_tool', { name: 'text_change_case', arguments: { text: guess, case: 'lower' } }),
  ),
  {
    subject: 'elicitation',
    attempt: 'reads the question that quotes a guess',
    before: 'the hit was masked in the question',
    modes: ['elicit'],
    async run(server) {
      for (const name of short) {
        const questions: string[] = [];
        server.answer(({ params }) => {
          questions.push(params.message);
          return { action: 'decline' };
        });
        for (const guess of guesses[name]) await server.call('fs_delete', { path: `notes/${guess}`, recursive: true });
        expect(questions.join('\n')).to.include(guesses[name][0]).and.not.include('[secret');
      }
    },
  },
  {
    subject: 'output://',
    attempt: 'reads the further pages of a long answer with guesses',
    before: 'the hit came back masked',
    async run(server) {
      const first = await server.call('text_sort_lines', { text: [...pins, ...pins].join('\n'), order: 'descending' });
      const [uri = ''] = /output:\/\/[^"\\\s]+/.exec(first.text) ?? [];
      expect(uri, first.text.slice(-500)).not.to.equal('');
      for (let page = 1; page <= 2; page++) {
        const { contents } = await server.client.readResource({ uri: uri.replace(/\d+$/, String(page)) });
        expect(JSON.stringify(contents)).not.to.include('[secret');
      }
    },
  },
  row('an unknown tool', 'names a tool that is a guess', short, 'the hit came back masked', (server, guess) =>
    server.call(guess, {}).catch((error: Error) => ({ isError: true, code: undefined, text: error.message })),
  ),
];

export const oracle: AttackKind = {
  rule: 'no answer tells whether a guess is a secret',
  files: {
    [`${folder}/oracle_uses.yaml`]: using,
    [`${folder}/uses.mjs`]: 'export const run = () => ({});\n',
  },
  env: Object.fromEntries(all.map((name) => [name, guesses[name][0]])),
  attacks,
};

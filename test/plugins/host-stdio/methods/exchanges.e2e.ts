import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { methods } from '../../../../plugins/host-stdio/methods/methods.ts';
import { start } from '../../../e2e/program.ts';
import { type Bound, difference, filled, filledText, readExchange, type Step } from '../support/exchange.ts';

const folder = path.resolve('fixtures/host');
const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));

/** Plays the client of an exchange against a host. What the host says within one run of `expect` may come in any order. */
async function play(steps: readonly Step[]): Promise<void> {
  const [head = { title: '' }, ...rest] = steps;
  const host = start(['host', ...(('args' in head && head.args) || [])], { cwd: folder });
  const lines = createInterface({ input: host.child.stdout as Readable })[Symbol.asyncIterator]();
  const bound: Bound = new Map();
  let awaited: Readonly<Record<string, unknown>>[] = [];
  const settle = async (): Promise<void> => {
    while (awaited.length > 0) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the host ended, and was to say ${JSON.stringify(awaited)}: ${host.stderr()}`);
      const message = JSON.parse(value) as unknown;
      expect(message).to.have.property('jsonrpc', '2.0');
      const problems = awaited.map((expected) => difference(expected, message, bound));
      const place = problems.indexOf(undefined);
      if (place < 0) throw new Error(`the host said ${value}\n${problems.join('\n')}\n${host.stderr()}`);
      awaited = awaited.toSpliced(place, 1);
    }
  };
  for (const step of rest) {
    if ('expect' in step) {
      awaited.push(step.expect);
      continue;
    }
    await settle();
    if ('send' in step) host.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...(filled(step.send, bound) as object) })}\n`);
    if ('sendText' in step) host.child.stdin?.write(`${filledText(step.sendText, bound)}\n`);
    if ('endInput' in step) host.child.stdin?.end();
    if ('exit' in step) {
      expect(await host.exit).to.deep.equal({ code: step.exit, signal: null });
      expect(await lines.next()).to.have.property('done', true);
    }
  }
  await settle();
}

describe('the exchanges of a host with its client', () => {
  for (const file of files) {
    const steps = readExchange(path.join(folder, file));
    const [head] = steps;
    const title = head !== undefined && 'title' in head ? head.title : '';
    it(`are as recorded in ${file}: ${title}`, () => play(steps));
  }

  it('have every method and callback of the protocol, both ways', async () => {
    const all = files.flatMap((file) => readExchange(path.join(folder, file)));
    const asked = all.flatMap((step) => ('send' in step ? [step.send['method']] : []));
    const told = all.flatMap((step) => ('expect' in step ? [step.expect['method']] : []));
    expect(asked).to.include.members(['initialize', '$/cancel', '$/progress', ...Object.keys(methods)]);
    const callbacks = ['onHITL', 'onApproval', 'resolveSecrets', 'credentialsOf', 'log'].map((name) => `callback/${name}`);
    expect(told).to.include.members(['functions/run', '$/cancel', '$/progress', 'tools/changed', ...callbacks]);
  });
});

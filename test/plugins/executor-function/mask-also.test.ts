import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin, type Progress } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

const token = 's3ss10n-t0ken-of-a-login';
const pin = '4711';

const script = `
const tokenOf = ({ value }) => value.join('');
export const login = (parameters, context) => {
  const token = tokenOf(parameters);
  context.maskAlso('SESSION', token);
  context.logger.warn('logged in with ' + token, { token });
  context.progress('session ' + token);
  return { token, header: 'Bearer ' + token, encoded: Buffer.from(token).toString('base64') };
};
export const fails = (parameters, context) => {
  context.maskAlso('SESSION', tokenOf(parameters));
  throw new Error('the session ' + tokenOf(parameters) + ' is over');
};
export const wrong = (parameters, context) => context.maskAlso('SESSION', { token: tokenOf(parameters) });
`;

const python = `
import base64

def login(params, context):
    token = "".join(params["value"])
    context.mask_also("SESSION", token)
    context.log("warn", "logged in with " + token, token=token)
    context.progress("session " + token)
    print("printed " + token)
    return {"token": token, "header": "Bearer " + token, "encoded": base64.b64encode(token.encode()).decode()}

def fails(params, context):
    context.mask_also("SESSION", "".join(params["value"]))
    raise ValueError("the session " + "".join(params["value"]) + " is over")

def wrong(params, context):
    context.mask_also("SESSION", {"token": "".join(params["value"])})
`;

const typed = script.replaceAll('(parameters, context)', '(parameters: any, context: any)').replace('({ value })', '({ value }: any)');

const places = [
  { place: 'in this process, in JavaScript', file: 'it.mjs', options: {} },
  { place: 'in this process, in TypeScript', file: 'it.ts', options: {} },
  { place: 'in a worker thread', file: 'it.ts', options: { worker: true } },
  { place: 'in a child process', file: 'it.ts', options: { worker: 'process' } },
  { place: 'in Python', file: 'it.py', options: {} },
] as const;

const functions = ['login', 'fails', 'wrong'] as const;

const toolOf = (index: number, name: string): string => `${name}_${index}`;

describe('a secret that a function obtains itself', () => {
  // Without "npm test", the sources are compiled for threads by whoever comes first.
  const logger = memoryLogger();
  const trail: CallEnd[] = [];
  /** Writes what it sees, as a plugin that knows nothing of the call's secrets. */
  const talker = definePlugin({
    name: 'talker',
    apiVersion,
    apply({ hooks, logger: own }) {
      hooks.validateOutput.tap('talker', ({ output }) => {
        own.info('the output is', { output });
        return undefined;
      });
      hooks.settled.tap('talker', (end) => void trail.push(end));
    },
  });
  const suite = suiteKernel({
    files: { 'it.mjs': script, 'it.ts': typed, 'it.py': python },
    tools: Object.fromEntries(
      places.flatMap(({ file, options }, index) =>
        functions.map((name) => [toolOf(index, name), { code: `./${file}#${name}`, ...options }]),
      ),
    ),
    plugins: [talker()],
    executor: { maxThreads: 1, maxPythonWorkers: 1 },
    logger,
  });

  for (const [index, { place }] of places.entries()) {
    // In parts, so that the parameters of the call do not hold it.
    const value = [token.slice(0, 9), token.slice(9)];

    it(`is masked from then on in output, log, progress and trail: ${place}`, async () => {
      const [logged, told] = [logger.records.length, trail.length];
      const progress: Progress[] = [];
      const call = { tool: toolOf(index, 'login'), parameters: { value }, onProgress: (note: Progress) => void progress.push(note) };
      const { output } = await suite.kernel.call(call);
      expect(output).to.deep.equal({ token: '[secret SESSION]', header: 'Bearer [secret SESSION]', encoded: '[secret SESSION]' });
      expect(progress).to.deep.equal([{ message: 'session [secret SESSION]' }]);
      const records = logger.records.slice(logged);
      expect(records).to.deep.include({ level: 'warn', message: 'logged in with [secret SESSION]', meta: { token: '[secret SESSION]' } });
      expect(records.filter(({ message }) => message === 'the output is')).to.have.lengthOf(1);
      expect(JSON.stringify([records, trail.slice(told)])).to.not.include(token);
    });

    it(`is masked in the error: ${place}`, async () => {
      const { message } = await rejection(suite.kernel.execute(toolOf(index, 'fails'), { value }), 'EXECUTION_FAILED');
      expect(message).to.include('the session [secret SESSION] is over').and.to.not.include(token);
    });

    it(`is masked where it can be guessed, in this call alone: ${place}`, async () => {
      const tool = toolOf(index, 'login');
      const { output } = await suite.kernel.call({ tool, parameters: { value: [pin.slice(0, 2), pin.slice(2)] } });
      expect(output).to.include({ token: '[secret SESSION]' });
      expect(suite.kernel.mask(`the pin ${pin}`)).to.include(pin);
    });

    it(`is not taken as what is no text, and not shown by the error: ${place}`, async () => {
      const { message } = await rejection(suite.kernel.execute(toolOf(index, 'wrong'), { value }), 'EXECUTION_FAILED');
      expect(message)
        .to.match(/expected a name.* and a text, received/)
        .and.to.not.include(token);
    });
  }
});

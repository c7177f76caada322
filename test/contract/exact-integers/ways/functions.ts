import { readJson, ToolkitError } from '../../../../kernel/index.ts';
import { functionTools } from '../function-tools.ts';
import type { Way } from '../way.ts';

const python = `
def run(params, context):
    return {"type": type(params["id"]).__name__, "digits": str(params["id"]), "id": params["id"]}
`;

const javascript = 'export const run = ({ id }) => ({ type: typeof id, id });';

const int64 = { type: 'integer', format: 'int64' };

/** The parameters of a call as a reader of JSON gives them. */
function withId(digits: string): Readonly<Record<string, unknown>> {
  return readJson(`{"id":${digits}}`) as Readonly<Record<string, unknown>>;
}

function inJavaScript(name: string, execution: object): Way {
  return {
    name: `through a function in JavaScript that takes int64, ${name}`,
    async start() {
      const { kernel, stop } = await functionTools({ 'tool.mjs': javascript }, { thing: { execution, id: int64 } });
      const carry = async (digits: string): Promise<string> => {
        const isWithin = BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
        try {
          const { id } = (await kernel.execute('thing', withId(digits))) as { readonly id: unknown };
          return isWithin ? String(id) : `${id}, which has no 64 bits`;
        } catch (error) {
          const isRefused = !isWithin && ToolkitError.is(error) && error.message.includes('id expected an int64');
          if (isRefused) return digits;
          throw error;
        }
      };
      return { carry, stop };
    },
  };
}

export const ways: readonly Way[] = [
  {
    name: 'through a function in Python: its parameter, which is an int, and what it returns',
    async start() {
      const more = { output_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } };
      const thing = { execution: { code: './tool.py' }, id: { type: 'integer' }, more };
      const { kernel, stop } = await functionTools({ 'tool.py': python }, { thing });
      const carry = async (given: string): Promise<string> => {
        const { type, digits, id } = (await kernel.execute('thing', withId(given))) as Readonly<Record<string, unknown>>;
        return [...new Set([digits, String(id), ...(type === 'int' ? [] : [type])])].join(' and ');
      };
      return { carry, stop };
    },
  },
  inJavaScript('in process', { code: './tool.mjs#run' }),
  inJavaScript('in a thread', { code: './tool.mjs#run', worker: true }),
  inJavaScript('in a child process', { code: './tool.mjs#run', worker: 'process' }),
  {
    name: 'to a function in JavaScript that takes integers',
    refuses: (digits) => !Number.isSafeInteger(Number(digits)),
    async start() {
      const thing = { execution: { code: './tool.mjs#run' }, id: { type: 'integer' } };
      const { kernel, stop } = await functionTools({ 'tool.mjs': javascript }, { thing });
      const carry = async (digits: string): Promise<string> =>
        String(((await kernel.execute('thing', withId(digits))) as { readonly id: unknown }).id);
      return { carry, stop };
    },
  },
];

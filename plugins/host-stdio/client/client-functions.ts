import {
  type Call,
  type CallContext,
  type ContentPart,
  describeValue,
  type ExecutionResult,
  isPlainObject,
  revealSecret,
  ToolkitError,
} from '../../../kernel/index.ts';
import { exactParameters } from '../../shared/code/exact-parameters.ts';
import { RpcError } from '../../shared/json-rpc/rpc-error.ts';
import { toolkitError } from '../peer/errors.ts';
import type { HostPeer } from '../peer/host-peer.ts';

interface ClientFunction {
  readonly definition: Readonly<Record<string, unknown>>;
  /** Changes whenever the client defines the function again, because an approval holds for one revision only. */
  readonly revision: number;
}

/** Functions that the client defines and runs itself. */
export class ClientFunctions {
  readonly #peer: Pick<HostPeer, 'ask'>;
  #functions: ReadonlyMap<string, ClientFunction> = new Map();
  #revision = 0;
  /** The last change. The next change begins after it has ended. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(peer: Pick<HostPeer, 'ask'>) {
    this.#peer = peer;
  }

  get definitions(): readonly ClientFunction['definition'][] {
    return [...this.#functions.values()].map(({ definition }) => definition);
  }

  /** Runs changes one after the other, because each of them may be undone. */
  runInOrder<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#lastChange.then(change);
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /** Adds functions and replaces those with the same name. Returns a function that undoes this. */
  add(definitions: readonly ClientFunction['definition'][]): () => void {
    return this.#replace((given) => {
      this.#revision += 1;
      for (const definition of definitions) given.set(String(definition['name']), { definition, revision: this.#revision });
    });
  }

  remove(names: readonly string[]): void {
    this.#replace((given) => {
      for (const name of names) given.delete(name);
    });
  }

  revisionOf(name: string): number | undefined {
    return this.#functions.get(name)?.revision;
  }

  /** Asks the client to run a function. Sends only the secrets that the function's definition names. */
  async run(call: Call, context: CallContext): Promise<ExecutionResult> {
    const { tool, credentials, caller } = call;
    const { name } = tool;
    const named = (tool.definition.secrets ?? []).flatMap((secret) => {
      const handle = credentials.get(secret);
      return handle === undefined ? [] : [[secret, revealSecret(handle)] as const];
    });
    const { signal, callId, output: room } = context;
    const traceparent = context.span?.traceparentFor('workers');
    const traced = traceparent === undefined ? {} : { traceparent };
    const asked = { name, parameters: exactParameters(call), secrets: Object.fromEntries(named), callId, caller, output: room, ...traced };
    const onProgress = context.progress.bind(context);
    const onMask = (name: unknown, value: unknown): void => {
      if (typeof name === 'string' && typeof value === 'string') context.maskAlso(name, value);
    };
    const answer = await this.#peer.ask('functions/run', asked, { signal, onProgress, onMask }).catch((error: unknown) => {
      throw error instanceof RpcError ? toolkitError(error, `The function of "${name}" failed`).with({ tool: name }) : error;
    });
    if (!isPlainObject(answer) || answer['output'] === undefined)
      throw new ToolkitError(
        'OUTPUT_INVALID',
        `The function of "${name}" returned nothing: expected { output: a JSON value }, received ${describeValue(answer)}. Return null when there is nothing to say.`,
        { tool: name },
      );
    const { output, content } = answer;
    return { output, ...(content === undefined ? {} : { content: content as readonly ContentPart[] }) };
  }

  #replace(change: (given: Map<string, ClientFunction>) => void): () => void {
    const before = this.#functions;
    const given = new Map(before);
    change(given);
    this.#functions = given;
    return () => {
      if (this.#functions === given) this.#functions = before;
    };
  }
}
